package record

// rows reads a file row by row.
type rows interface {
	// next fills r. The error is io.EOF at the end, a *RowError behind which it
	// goes on, or what ends the reading.
	next(r *row) error
	// at is the line on which the next row begins.
	at() int64
	// blanks is the number of blank lines that were accepted.
	blanks() int64
}

// blankRule counts blank lines, or refuses them.
type blankRule struct {
	policy   BlankLines
	file     string
	accepted int64
}

// take judges n blank lines that begin at a line.
func (b *blankRule) take(line, n int64, atEnd bool) error {
	if n == 0 {
		return nil
	}
	if b.policy == BlankAnywhere || b.policy == BlankAtEnd && atEnd {
		b.accepted += n
		return nil
	}
	return &RowError{Position: Position{File: b.file, Line: line, Column: 1}, Err: ErrBlank}
}

func (b *blankRule) blanks() int64 { return b.accepted }
