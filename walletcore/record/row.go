package record

import (
	"crypto/sha256"
	"encoding/binary"
	"hash"
	"strings"
	"unicode/utf8"
)

// row is one row of a file, before its values are read.
type row struct {
	line   int64
	values []string // by column; the reader of rows owns the slice
	// numbers marks the values that were written as JSON numbers; nil in CSV.
	numbers []bool
	// ordinals is the place of each value in its object, from 1; nil in CSV,
	// where it is the index.
	ordinals []int
	// suspect marks a row whose values must be looked at: an escape may stand
	// for what is not text.
	suspect bool
}

// column is the place of a value for a person, from 1.
func (r *row) column(index int) int {
	switch {
	case index < 0:
		return 0
	case r.ordinals != nil:
		return r.ordinals[index]
	}
	return index + 1
}

// number reports whether a value was written as a JSON number.
func (r *row) number(index int) bool { return index >= 0 && r.numbers != nil && r.numbers[index] }

// digest is over all values, each behind its length, so that no two rows of
// different values share one.
func (r *row) digest(sum hash.Hash, buffer []byte) (d [DigestSize]byte, _ []byte) {
	buffer = buffer[:0]
	for _, value := range r.values {
		buffer = binary.AppendUvarint(buffer, uint64(len(value)))
		buffer = append(buffer, value...)
	}
	sum.Reset()
	sum.Write(buffer)
	sum.Sum(d[:0])
	return d, buffer
}

func newDigest() hash.Hash { return sha256.New() }

// byteOrderMark in the middle of a text is the seam of two files; it would make
// another id of the value that it stands in.
const byteOrderMark = '\ufeff'

// fault finds the first value that is not clean text.
func (r *row) fault() (index int, err error) {
	for i, value := range r.values {
		switch {
		case strings.IndexByte(value, 0) >= 0:
			return i, ErrNUL
		case !utf8.ValidString(value), strings.ContainsRune(value, utf8.RuneError), strings.ContainsRune(value, byteOrderMark):
			return i, ErrEncoding
		}
	}
	return -1, nil
}

// blank reports whether every value is empty.
func (r *row) blank() bool {
	for _, value := range r.values {
		if value != "" {
			return false
		}
	}
	return true
}
