package record

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"errors"
	"hash"
	"io"
	"io/fs"
	"sync/atomic"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// window bounds the memory that a zstd file may ask for, in bytes. Its highest
// ordinary level asks for 8 MiB.
const window = 64 << 20

const bufferSize = 64 << 10

// stored reads the bytes of a file as they are stored, with their digest.
type stored struct {
	file  io.Reader
	hash  hash.Hash
	bytes int64
	read  *atomic.Int64 // of all files, for a progress bar
}

func newStored(file io.Reader, read *atomic.Int64) *stored {
	return &stored{file: file, hash: sha256.New(), read: read}
}

// Read implements [io.Reader].
func (s *stored) Read(p []byte) (int, error) {
	n, err := s.file.Read(p)
	s.hash.Write(p[:n])
	s.bytes += int64(n)
	s.read.Add(int64(n))
	return n, err
}

func (s *stored) digest() (d Digest) {
	s.hash.Sum(d[:0])
	return d
}

// text is what is stored, decompressed where its first bytes say that it is
// compressed, whatever the file is called. release frees the decompressor.
func (s *stored) text() (text io.Reader, release func(), err error) {
	buffered := bufio.NewReaderSize(s, bufferSize)
	magic, err := buffered.Peek(4)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, nil, err
	}
	switch {
	case bytes.HasPrefix(magic, []byte{0x1f, 0x8b}):
		text, err = gzip.NewReader(buffered)
		return text, func() {}, err
	case isZstd(magic):
		decoder, err := zstd.NewReader(buffered, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true),
			zstd.WithDecoderMaxWindow(window))
		if err != nil {
			return nil, nil, err
		}
		return decoder, decoder.Close, nil
	}
	return buffered, func() {}, nil
}

// isZstd knows frames of data, and the skippable ones that may stand before
// them.
func isZstd(magic []byte) bool {
	return bytes.HasPrefix(magic, []byte{0x28, 0xb5, 0x2f, 0xfd}) ||
		len(magic) == 4 && magic[0]&0xf0 == 0x50 && bytes.Equal(magic[1:], []byte{0x2a, 0x4d, 0x18})
}

// cause returns why a file could not be read: what it failed of, without the
// path that an *fs.PathError repeats.
func cause(err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		return path.Err
	}
	if errors.Is(err, io.ErrUnexpectedEOF) {
		return ErrCut
	}
	return err
}
