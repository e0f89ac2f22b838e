package chaincheck

import (
	"bytes"
	"encoding/binary"
	"errors"
)

var (
	copySignature = []byte("PGCOPY\n\xff\r\n\x00")

	errCopyFormat = errors.New("the stream is not COPY in binary format")
)

// copyStream is an [io.Writer] that takes a stream of COPY ... TO STDOUT
// (FORMAT binary) apart and hands over each row. COPY is the fastest way out of
// PostgreSQL, and gives binary values behind every kind of pooler. The server
// sends a row a message, so nothing is copied here in the common case.
type copyStream struct {
	row func(fields [][]byte) error

	rest   []byte   // the beginning of a row, where a message ended within one
	fields [][]byte // used again for each row; a nil field is NULL
	begun  bool
	ended  bool
}

// Write implements [io.Writer].
func (s *copyStream) Write(p []byte) (int, error) {
	data := p
	if len(s.rest) > 0 {
		s.rest = append(s.rest, p...)
		data = s.rest
	}
	used, err := s.consume(data)
	if err != nil {
		return 0, err
	}
	s.rest = append(s.rest[:0], data[used:]...)
	return len(p), nil
}

// consume takes the whole rows off data and returns how much that was.
func (s *copyStream) consume(data []byte) (int, error) {
	used := 0
	if !s.begun {
		n, err := skipCopyHeader(data)
		if n == 0 || err != nil {
			return 0, err
		}
		s.begun, used = true, n
	}
	for !s.ended {
		n, err := s.split(data[used:])
		if n == 0 || err != nil {
			return used, err
		}
		used += n
		if s.ended {
			break
		}
		if err := s.row(s.fields); err != nil {
			return used, err
		}
	}
	return used, nil
}

// skipCopyHeader returns the length of the header, or 0 where there is more to
// come of it.
func skipCopyHeader(data []byte) (int, error) {
	const fixed = 11 + 4 + 4
	if len(data) < fixed {
		return 0, nil
	}
	if !bytes.HasPrefix(data, copySignature) {
		return 0, errCopyFormat
	}
	length := fixed + int(binary.BigEndian.Uint32(data[15:]))
	if len(data) < length {
		return 0, nil
	}
	return length, nil
}

// split cuts the row at the beginning of data into fields and returns its
// length, or 0 where there is more to come of it.
func (s *copyStream) split(data []byte) (int, error) {
	if len(data) < 2 {
		return 0, nil
	}
	count := int(int16(binary.BigEndian.Uint16(data)))
	if count < 0 {
		s.ended = true
		return 2, nil
	}
	s.fields = s.fields[:0]
	at := 2
	for range count {
		if len(data) < at+4 {
			return 0, nil
		}
		length := int(int32(binary.BigEndian.Uint32(data[at:])))
		at += 4
		if length < 0 {
			s.fields = append(s.fields, nil)
			continue
		}
		if len(data) < at+length {
			return 0, nil
		}
		s.fields = append(s.fields, data[at:at+length:at+length])
		at += length
	}
	return at, nil
}
