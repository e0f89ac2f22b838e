package record

import (
	"bytes"
	"io"
	"unicode/utf8"
)

// maxRow bounds a row, in bytes of its UTF-8 text.
const maxRow = 1 << 20

// feed hands the text of a file to the reader of its rows, and notes on the way
// what that one does not see.
type feed struct {
	text io.Reader
	read int64
	// allowed is how far may be read before a row ends.
	allowed int64
	lines   int64 // ends of lines
	// suspect is set from the first piece on that holds a NUL byte or may hold
	// what is not text: from there each row is looked at.
	suspect bool
	err     error // stays: a cut file must not seem to end well at the second try
}

// Read implements [io.Reader].
func (f *feed) Read(p []byte) (int, error) {
	if f.err != nil {
		return 0, f.err
	}
	if f.read > f.allowed {
		f.err = ErrRowTooLong
		return 0, f.err
	}
	n, err := f.text.Read(p)
	f.err = err
	f.read += int64(n)
	f.lines += int64(bytes.Count(p[:n], []byte{'\n'}))
	f.suspect = f.suspect || bytes.IndexByte(p[:n], 0) >= 0 || !isASCII(p[:n])
	return n, err
}

// allow lets the next row be read, which begins at an offset.
func (f *feed) allow(offset int64) { f.allowed = offset + maxRow }

func isASCII(text []byte) bool {
	for len(text) >= 8 {
		if (text[0]|text[1]|text[2]|text[3]|text[4]|text[5]|text[6]|text[7])&0x80 != 0 {
			return false
		}
		text = text[8:]
	}
	for _, c := range text {
		if c >= utf8.RuneSelf {
			return false
		}
	}
	return true
}
