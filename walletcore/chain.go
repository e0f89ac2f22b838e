package walletcore

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"hash"
)

// HashSize is the length of an entry's hash in bytes.
const HashSize = sha256.Size

// The version is the first byte of what is hashed. A change of the encoding
// takes a new one; what was written under an old one stays valid.
const (
	chainPlain  = 1
	chainMarked = 2 // the same, and the mark behind the kind
)

// Hasher computes the hashes of a chain. It keeps its state between entries
// and is not safe for concurrent use; [Keyring.Hasher] makes one.
type Hasher struct {
	keys *Keyring
	macs map[int16]hash.Hash
	buf  []byte
}

// Sum returns HMAC-SHA256, under the key that e names, over the version, the
// previous entry's hash and every field of e but the hash. The hash of the
// first entry has prev all zero. The error is an *UnknownKeyError.
func (h *Hasher) Sum(prev [HashSize]byte, e *Entry) ([HashSize]byte, error) {
	mac, err := h.mac(e.KeyID)
	if err != nil {
		return [HashSize]byte{}, err
	}
	h.buf = appendCanonical(h.buf[:0], prev, e)
	mac.Reset()
	mac.Write(h.buf)
	var sum [HashSize]byte
	mac.Sum(sum[:0])
	return sum, nil
}

func (h *Hasher) mac(id int16) (hash.Hash, error) {
	if mac, ok := h.macs[id]; ok {
		return mac, nil
	}
	secret, ok := h.keys.secrets[id]
	if !ok {
		return nil, &UnknownKeyError{KeyID: id}
	}
	mac := hmac.New(sha256.New, secret)
	h.macs[id] = mac
	return mac, nil
}

// appendCanonical writes the one encoding of an entry: integers big-endian,
// amounts in 0.00000001, times in microseconds since 1970, texts behind their
// length, so that no two entries share an encoding.
func appendCanonical(b []byte, prev [HashSize]byte, e *Entry) []byte {
	version := byte(chainPlain)
	if e.Mark != "" {
		version = chainMarked
	}
	b = append(b, version)
	b = append(b, prev[:]...)
	b = append(b, e.WalletID[:]...)
	b = binary.BigEndian.AppendUint64(b, uint64(e.Seq))
	b = appendText(b, string(e.Kind))
	if version == chainMarked {
		b = appendText(b, string(e.Mark))
	}
	b = appendText(b, e.ExternalID)
	for _, m := range [...]Money{e.RealBefore, e.RealAfter, e.BonusBefore, e.BonusAfter} {
		b = binary.BigEndian.AppendUint64(b, uint64(m.units))
	}
	b = appendText(b, e.Reference)
	b = appendText(b, e.RoundID)
	b = appendText(b, e.Actor)
	b = appendText(b, e.Details)
	b = binary.BigEndian.AppendUint64(b, uint64(e.OccurredAt.UnixMicro()))
	b = binary.BigEndian.AppendUint64(b, uint64(e.RecordedAt.UnixMicro()))
	return binary.BigEndian.AppendUint16(b, uint16(e.KeyID))
}

func appendText[T string | ~[]byte](b []byte, text T) []byte {
	b = binary.BigEndian.AppendUint32(b, uint32(len(text)))
	return append(b, text...)
}

// UnknownKeyError says that an entry names a hash key that the keyring lacks.
type UnknownKeyError struct {
	KeyID int16
}

func (e *UnknownKeyError) Error() string {
	return fmt.Sprintf("hash key %d is not in the key file", e.KeyID)
}
