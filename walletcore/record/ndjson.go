package record

import (
	"bufio"
	"bytes"
	"errors"
	"io"
)

// jsonRows reads the rows of a file with one JSON object a line.
type jsonRows struct {
	blankRule
	feed    *feed
	lines   *bufio.Reader
	long    []byte // of a line that the buffer does not hold
	line    int64  // that was read last
	read    int64  // bytes of the lines so far
	pending int64  // blank lines before the one that is read now
	held    []byte // a line that waits for the blank ones before it to be told
	members members
}

func newNDJSON(file string, m *Mapping, columns []string, text *feed) *jsonRows {
	return &jsonRows{
		blankRule: blankRule{policy: m.BlankLines, file: file}, feed: text,
		lines: bufio.NewReaderSize(text, bufferSize), members: newMembers(file, columns, m.Ignore),
	}
}

// next implements rows.
func (j *jsonRows) next(r *row) error {
	if line := j.held; line != nil {
		j.held = nil
		return j.members.read(r, j.line, line)
	}
	for {
		line, err := j.readLine()
		if err != nil && !errors.Is(err, io.EOF) {
			return err
		}
		if len(line) == 0 && err != nil {
			return j.end()
		}
		j.line++
		if line = bytes.TrimSuffix(bytes.TrimSuffix(line, []byte("\n")), []byte("\r")); len(line) > 0 {
			return j.take(r, line)
		}
		if err := j.empty(); err != nil {
			return err
		}
	}
}

func (j *jsonRows) at() int64 { return j.line + 1 }

// empty notes a blank line. Whether it stands at the end is known only behind
// it.
func (j *jsonRows) empty() error {
	if j.policy == BlankAtEnd {
		j.pending++
		return nil
	}
	return j.blankRule.take(j.line, 1, false)
}

func (j *jsonRows) take(r *row, line []byte) error {
	first, blank := j.line-j.pending, j.pending
	j.pending = 0
	if err := j.blankRule.take(first, blank, false); err != nil {
		j.held = line
		return err
	}
	return j.members.read(r, j.line, line)
}

func (j *jsonRows) end() error {
	err := j.blankRule.take(j.line-j.pending+1, j.pending, true)
	j.pending = 0
	if err != nil {
		return err
	}
	return io.EOF
}

// readLine returns the next line with its end; it is valid until the next
// call.
func (j *jsonRows) readLine() ([]byte, error) {
	j.feed.allow(j.read)
	j.long = j.long[:0]
	for {
		piece, err := j.lines.ReadSlice('\n')
		j.read += int64(len(piece))
		if !errors.Is(err, bufio.ErrBufferFull) {
			if len(j.long) == 0 {
				return piece, err
			}
			j.long = append(j.long, piece...)
			return j.long, err
		}
		j.long = append(j.long, piece...)
	}
}
