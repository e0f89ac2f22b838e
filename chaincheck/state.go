package chaincheck

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
	"time"

	"github.com/google/uuid"

	"github.com/walletctl/walletctl/walletcore"
)

// Names in the state directory.
const (
	checkpointName = "checkpoint"
	lockName       = "lock"
	workPrefix     = "run-"
)

// state is the state directory while a run has it for itself.
type state struct {
	dir  string
	work string // parts of the new checkpoint
	lock *os.File
}

// openState creates the directory where it is missing and locks it. The error
// is [ErrLocked] where another run has it.
func openState(dir string) (*state, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("open state directory: %w", err)
	}
	lock, err := os.OpenFile(filepath.Join(dir, lockName), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, fmt.Errorf("open state directory: %w", err)
	}
	// The kernel gives the lock back however this process ends.
	if err := syscall.Flock(int(lock.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		_ = lock.Close()
		if errors.Is(err, syscall.EWOULDBLOCK) {
			return nil, ErrLocked
		}
		return nil, fmt.Errorf("lock state directory: %w", err)
	}
	s := &state{dir: dir, lock: lock}
	if err := s.makeWork(); err != nil {
		s.close()
		return nil, err
	}
	return s, nil
}

// makeWork removes what killed runs left and makes a folder for this one.
func (s *state) makeWork() error {
	left, _ := filepath.Glob(filepath.Join(s.dir, workPrefix+"*"))
	for _, dir := range left {
		_ = os.RemoveAll(dir)
	}
	var err error
	if s.work, err = os.MkdirTemp(s.dir, workPrefix); err != nil {
		return fmt.Errorf("open state directory: %w", err)
	}
	return nil
}

func (s *state) close() {
	if s.work != "" {
		_ = os.RemoveAll(s.work)
	}
	_ = s.lock.Close()
}

func (s *state) path() string { return filepath.Join(s.dir, checkpointName) }

func (s *state) partPath(i int) string { return filepath.Join(s.work, strconv.Itoa(i)) }

// segment is a range of the new checkpoint: a part that was written, or, where
// part is empty, what the old one has there.
type segment struct {
	idRange
	part string
}

// writeCheckpoint puts the segments together in a new file, signs it and puts
// it in the old one's place, so that at any moment one of the two is there
// whole. It returns the number of wallets in it.
func (s *state) writeCheckpoint(segments []segment, old *checkpoint, keys *walletcore.Keyring,
	lastGood time.Time, position uint64,
) (int64, error) {
	path := filepath.Join(s.work, checkpointName)
	file, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_RDWR, 0o600)
	if err != nil {
		return 0, err
	}
	defer file.Close()
	header := make([]byte, headerSize)
	if _, err := file.Write(header); err != nil {
		return 0, err
	}
	sum := sha256.New()
	size, err := copySegments(io.MultiWriter(file, sum), segments, old)
	if err != nil {
		return 0, err
	}
	header = appendHeader(header[:0], keys.Active(), lastGood, position, size/recordSize, sum.Sum(nil))
	signature, err := keys.SignFile(keys.Active(), checkpointPurpose, header)
	if err != nil {
		return 0, err
	}
	if _, err := file.WriteAt(append(header, signature...), 0); err != nil {
		return 0, err
	}
	return size / recordSize, s.publish(file, path)
}

func appendHeader(b []byte, keyID int16, lastGood time.Time, position uint64, records int64, digest []byte) []byte {
	us := int64(0)
	if !lastGood.IsZero() {
		us = lastGood.UnixMicro()
	}
	b = append(b, checkpointMagic...)
	b = binary.BigEndian.AppendUint16(b, uint16(keyID))
	b = binary.BigEndian.AppendUint64(b, uint64(us))
	b = binary.BigEndian.AppendUint64(b, position)
	b = binary.BigEndian.AppendUint64(b, uint64(records))
	return append(b, digest...)
}

func copySegments(out io.Writer, segments []segment, old *checkpoint) (int64, error) {
	var size int64
	for _, s := range segments {
		in, err := s.open(old)
		if err != nil {
			return 0, err
		}
		n, err := io.Copy(out, in)
		_ = in.Close()
		if err != nil {
			return 0, err
		}
		size += n
	}
	return size, nil
}

func (s *segment) open(old *checkpoint) (io.ReadCloser, error) {
	if s.part != "" {
		return os.Open(s.part)
	}
	return io.NopCloser(old.section(s.idRange)), nil
}

// publish makes the new file durable before it takes the old one's name, and
// the name durable after.
func (s *state) publish(file *os.File, path string) error {
	if err := file.Sync(); err != nil {
		return err
	}
	if err := os.Rename(path, s.path()); err != nil {
		return err
	}
	dir, err := os.Open(s.dir)
	if err != nil {
		return err
	}
	defer dir.Close()
	return dir.Sync()
}

// wholeSegments adds to the parts what lies between and around them.
func wholeSegments(parts []segment) []segment {
	var all []segment
	var next uuid.UUID
	for _, p := range parts {
		if compareIDs(next, p.from) < 0 {
			all = append(all, segment{idRange: idRange{next, before(p.from)}})
		}
		all = append(all, p)
		if p.to == uuid.Max {
			return all
		}
		next = after(p.to)
	}
	return append(all, segment{idRange: idRange{next, uuid.Max}})
}
