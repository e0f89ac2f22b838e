package record

import (
	"bufio"
	"bytes"
	"io"

	"golang.org/x/text/encoding/charmap"
)

// charsets are the encodings other than UTF-8.
var charsets = map[string]*charmap.Charmap{
	"latin-1":      charmap.ISO8859_1,
	"windows-1252": charmap.Windows1252,
}

const utf8Name = "utf-8"

var (
	utf8Mark   = []byte{0xef, 0xbb, 0xbf}
	otherMarks = [][]byte{{0xff, 0xfe}, {0xfe, 0xff}}
)

// decoded returns text as UTF-8, without its byte order mark.
func decoded(text io.Reader, encoding string) (io.Reader, error) {
	buffered := bufio.NewReaderSize(text, bufferSize)
	head, err := buffered.Peek(len(utf8Mark))
	if err != nil && err != io.EOF {
		return nil, err
	}
	for _, mark := range otherMarks {
		if bytes.HasPrefix(head, mark) {
			return nil, ErrForeignMark
		}
	}
	marked := bytes.HasPrefix(head, utf8Mark)
	charset := charsets[encoding]
	switch {
	case marked && charset != nil:
		return nil, ErrForeignMark
	case marked:
		_, err = buffered.Discard(len(utf8Mark))
		return buffered, err
	case charset != nil:
		return charset.NewDecoder().Reader(buffered), nil
	}
	return buffered, nil
}
