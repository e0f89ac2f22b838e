package chaincheck

import (
	"bufio"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"sort"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/walletctl/walletctl/walletcore"
)

// A checkpoint file is a header and one record a wallet, in the order of ids:
//
//	header  magic and version 8, key id 2, last good run 8 (microseconds since
//	        1970), replay position 8, records 8, SHA-256 of the records 32,
//	        signature of all that 32
//	record  wallet 16, seq 8, hash 32, real 8, bonus 8 (in 0.00000001)
//
// Integers are big-endian. The digest keeps the signature independent of how
// many wallets there are, so that no part of the work needs them in memory.
const (
	checkpointMagic   = "WALCHK\x00\x01"
	checkpointPurpose = "chain checkpoint"
	signedSize        = 8 + 2 + 8 + 8 + 8 + sha256.Size
	headerSize        = signedSize + sha256.Size
	recordSize        = 16 + 8 + walletcore.HashSize + 8 + 8
)

// placed is where the checkpoint has a wallet.
type placed struct {
	standing
	id    uuid.UUID
	found bool
}

// checkpoint is the file of the last run, open for reading; without a state
// directory, or before the first run, there is none.
type checkpoint struct {
	path     string
	file     *os.File
	keyID    int16
	lastGood time.Time
	position uint64
	records  int64
	verified bool
	// ignored: the replica has not come as far as the checkpoint, so nothing
	// can be said about what it lacks.
	ignored bool
}

// trusted reports whether wallets are compared with the checkpoint.
func (c *checkpoint) trusted() bool { return c.file != nil && !c.ignored }

func (c *checkpoint) close() {
	if c.file != nil {
		_ = c.file.Close()
	}
}

// openCheckpoint opens and verifies the file. Where there is none it returns
// an empty checkpoint. The error is a *CheckpointError.
func openCheckpoint(path string, keys *walletcore.Keyring) (*checkpoint, error) {
	c := &checkpoint{path: path}
	file, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return c, nil
	}
	if err != nil {
		return c, &CheckpointError{path, "cannot be opened: " + err.Error()}
	}
	if err := c.verify(file, keys); err != nil {
		_ = file.Close()
		return &checkpoint{path: path}, &CheckpointError{path, err.Error()}
	}
	c.file = file
	return c, nil
}

func (c *checkpoint) verify(file *os.File, keys *walletcore.Keyring) error {
	var header [headerSize]byte
	if _, err := io.ReadFull(file, header[:]); err != nil {
		return errors.New("is cut short")
	}
	if string(header[:8]) != checkpointMagic {
		return errors.New("is no checkpoint of this version")
	}
	c.keyID = int16(binary.BigEndian.Uint16(header[8:]))
	c.lastGood = unixMicro(int64(binary.BigEndian.Uint64(header[10:])))
	c.position = binary.BigEndian.Uint64(header[18:])
	c.records = int64(binary.BigEndian.Uint64(header[26:]))
	if keys != nil {
		signature, err := keys.SignFile(c.keyID, checkpointPurpose, header[:signedSize])
		if err != nil {
			return fmt.Errorf("cannot be verified: %w", err)
		}
		if !hmac.Equal(signature, header[signedSize:]) {
			return errors.New("was changed: its signature is wrong")
		}
		c.verified = true
	}
	return c.verifyRecords(file, header[34:signedSize])
}

func (c *checkpoint) verifyRecords(file *os.File, digest []byte) error {
	sum := sha256.New()
	in := bufio.NewReaderSize(io.TeeReader(file, sum), 256<<10)
	var record [recordSize]byte
	var last uuid.UUID
	var n int64
	for ; ; n++ {
		_, err := io.ReadFull(in, record[:])
		if err == io.EOF {
			break
		}
		if err != nil {
			return errors.New("is cut short")
		}
		id := decodeID(record[:16])
		if n > 0 && compareIDs(last, id) >= 0 {
			return errors.New("was changed: its records are out of order")
		}
		last = id
	}
	if n != c.records || !hmac.Equal(sum.Sum(nil), digest) {
		return errors.New("was changed: its records are not those that were signed")
	}
	return nil
}

func unixMicro(us int64) time.Time {
	if us == 0 {
		return time.Time{}
	}
	return time.UnixMicro(us).UTC()
}

// cursor reads the records of a range in order.
type cursor struct {
	in   *bufio.Reader
	next placed
	more bool
	err  error
}

// cursor returns a cursor that stands before the first record of the range.
func (c *checkpoint) cursor(part idRange) *cursor {
	cur := &cursor{in: bufio.NewReaderSize(c.section(part), 64<<10)}
	cur.advance()
	return cur
}

// section returns the records of a range as they are on disk.
func (c *checkpoint) section(part idRange) io.Reader {
	if c.file == nil {
		return strings.NewReader("")
	}
	first, end := c.find(part.from), c.find(part.to)
	if end < c.records && c.idOf(end) == part.to {
		end++
	}
	return io.NewSectionReader(c.file, headerSize+first*recordSize, (end-first)*recordSize)
}

// find returns the index of the first record whose id is not below id.
func (c *checkpoint) find(id uuid.UUID) int64 {
	return int64(sort.Search(int(c.records), func(i int) bool { return compareIDs(c.idOf(int64(i)), id) >= 0 }))
}

func (c *checkpoint) idOf(i int64) (id uuid.UUID) {
	_, _ = c.file.ReadAt(id[:], headerSize+i*recordSize)
	return id
}

func (c *cursor) advance() {
	var record [recordSize]byte
	if _, err := io.ReadFull(c.in, record[:]); err != nil {
		c.more = false
		if err != io.EOF {
			c.err = fmt.Errorf("read checkpoint: %w", err)
		}
		return
	}
	c.next, c.more = decodePlaced(record[:]), true
}

// upTo returns the records up to an id, that one included.
func (c *cursor) upTo(id uuid.UUID) ([]placed, error) {
	var list []placed
	for c.more && compareIDs(c.next.id, id) <= 0 {
		list = append(list, c.next)
		c.advance()
	}
	return list, c.err
}

func decodePlaced(b []byte) placed {
	return placed{id: decodeID(b), standing: standing{
		seq:   decodeInt64(b[16:24]),
		hash:  decodeHash(b[24:56]),
		real:  walletcore.MoneyFromUnits(decodeInt64(b[56:64])),
		bonus: walletcore.MoneyFromUnits(decodeInt64(b[64:72])),
	}}
}

func appendPlaced(b []byte, id uuid.UUID, s *standing) []byte {
	b = append(b, id[:]...)
	b = binary.BigEndian.AppendUint64(b, uint64(s.seq))
	b = append(b, s.hash[:]...)
	b = binary.BigEndian.AppendUint64(b, uint64(s.real.Units()))
	return binary.BigEndian.AppendUint64(b, uint64(s.bonus.Units()))
}

// compared returns a cursor over what the wallets of the range are compared
// with: nothing where the checkpoint is not to be used.
func (c *checkpoint) compared(part idRange) *cursor {
	if !c.trusted() {
		return &cursor{}
	}
	return c.cursor(part)
}
