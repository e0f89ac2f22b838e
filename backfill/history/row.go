package history

import (
	"bytes"
	"encoding/binary"
	"time"

	"github.com/google/uuid"

	"github.com/walletctl/walletctl/walletcore"
	"github.com/walletctl/walletctl/walletcore/record"
)

// row is one movement of a wallet's history on its way from a source to the
// ledger.
type row struct {
	wallet   uuid.UUID
	order    int64 // by the mapping's order
	ordinal  int64 // its place in the source
	position record.Position
	user     string
	currency string
	kind     walletcore.Kind
	mark     walletcore.Mark
	id       string

	real, bonus           walletcore.Money
	realAfter, bonusAfter record.Balance
	reference, round      string
	actor                 string
	at                    time.Time
	digest                record.Digest // of a row without an id
}

// keySize is how many bytes of a sorted row decide its place: wallet, order,
// ordinal.
const keySize = 16 + 8 + 8

// signFlip makes signed numbers compare as bytes.
const signFlip = 1 << 63

// append encodes r behind b, its sort key first.
func (r *row) append(b []byte) []byte {
	b = append(b, r.wallet[:]...)
	b = binary.BigEndian.AppendUint64(b, uint64(r.order)^signFlip)
	b = binary.BigEndian.AppendUint64(b, uint64(r.ordinal)^signFlip)
	for _, n := range [...]int64{
		r.position.Line, r.real.Units(), r.bonus.Units(), r.realAfter.Money.Units(), r.bonusAfter.Money.Units(), r.at.UnixMicro(),
	} {
		b = binary.AppendVarint(b, n)
	}
	b = append(b, flag(r.realAfter.Known)|flag(r.bonusAfter.Known)<<1|flag(r.id == "")<<2)
	for _, s := range [...]string{
		r.position.File, r.user, r.currency, string(r.kind), string(r.mark), r.id, r.reference, r.round, r.actor,
	} {
		b = binary.AppendUvarint(b, uint64(len(s)))
		b = append(b, s...)
	}
	if r.id == "" {
		b = append(b, r.digest[:]...)
	}
	return b
}

func flag(set bool) byte {
	if set {
		return 1
	}
	return 0
}

// decoder reads rows that append wrote. Texts that repeat from row to row are
// kept once.
type decoder struct {
	texts map[string]string
}

// maxTexts bounds what a decoder keeps: sources have few files, currencies and
// kinds.
const maxTexts = 4_096

func (d *decoder) decode(b []byte, r *row) {
	*r = row{}
	copy(r.wallet[:], b)
	r.order = int64(binary.BigEndian.Uint64(b[16:]) ^ signFlip)
	r.ordinal = int64(binary.BigEndian.Uint64(b[24:]) ^ signFlip)
	b = b[keySize:]
	var numbers [6]int64
	for i := range numbers {
		n, size := binary.Varint(b)
		numbers[i], b = n, b[size:]
	}
	r.position.Line = numbers[0]
	r.real, r.bonus = walletcore.MoneyFromUnits(numbers[1]), walletcore.MoneyFromUnits(numbers[2])
	r.realAfter.Money, r.bonusAfter.Money = walletcore.MoneyFromUnits(numbers[3]), walletcore.MoneyFromUnits(numbers[4])
	r.at = time.UnixMicro(numbers[5]).UTC()
	flags := b[0]
	r.realAfter.Known, r.bonusAfter.Known = flags&1 != 0, flags&2 != 0
	b = b[1:]
	var texts [9][]byte
	for i := range texts {
		n, size := binary.Uvarint(b)
		texts[i], b = b[size:size+int(n)], b[size+int(n):]
	}
	r.position.File, r.user, r.currency = d.text(texts[0]), string(texts[1]), d.text(texts[2])
	r.kind, r.mark = walletcore.Kind(d.text(texts[3])), walletcore.Mark(d.text(texts[4]))
	r.id, r.reference, r.round, r.actor = string(texts[5]), string(texts[6]), string(texts[7]), d.text(texts[8])
	if flags&4 != 0 {
		copy(r.digest[:], b)
	}
}

func (d *decoder) text(b []byte) string {
	if s, ok := d.texts[string(b)]; ok {
		return s
	}
	s := string(b)
	if d.texts == nil {
		d.texts = map[string]string{}
	}
	if len(d.texts) < maxTexts {
		d.texts[s] = s
	}
	return s
}

// compareRows orders encoded rows by wallet, then as they happened.
func compareRows(a, b []byte) int {
	return bytes.Compare(a[:keySize], b[:keySize])
}
