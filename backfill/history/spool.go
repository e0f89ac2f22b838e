package history

import (
	"bytes"
	"errors"
	"io"
	"os"
)

// spool keeps bytes in memory, and beyond its limit in a file: a wallet may
// have more history than memory.
type spool struct {
	dir   string
	limit int

	memory bytes.Buffer
	file   *os.File
	stored int64 // bytes in file
}

// Write appends p.
func (s *spool) Write(p []byte) (int, error) {
	if s.memory.Len()+len(p) > s.limit && s.memory.Len() > 0 {
		if err := s.spill(); err != nil {
			return 0, err
		}
	}
	return s.memory.Write(p)
}

func (s *spool) spill() error {
	if s.file == nil {
		file, err := os.CreateTemp(s.dir, "wallet-*")
		if err != nil {
			return err
		}
		s.file = file
	}
	n, err := s.file.WriteAt(s.memory.Bytes(), s.stored)
	s.stored += int64(n)
	s.memory.Reset()
	return err
}

// reader reads all that was written, from the beginning. It is valid until the
// next Write.
func (s *spool) reader() io.Reader {
	memory := bytes.NewReader(s.memory.Bytes())
	if s.stored == 0 {
		return memory
	}
	return io.MultiReader(io.NewSectionReader(s.file, 0, s.stored), memory)
}

// size is how many bytes were written.
func (s *spool) size() int64 { return s.stored + int64(s.memory.Len()) }

// truncate forgets what was written behind size bytes.
func (s *spool) truncate(size int64) error {
	if size >= s.stored {
		s.memory.Truncate(int(size - s.stored))
		return nil
	}
	s.stored = size
	s.memory.Reset()
	return nil
}

func (s *spool) reset() {
	s.stored = 0
	s.memory.Reset()
}

// close removes the file.
func (s *spool) close() error {
	if s.file == nil {
		return nil
	}
	return errors.Join(s.file.Close(), os.Remove(s.file.Name()))
}
