package chaintest

import (
	"encoding/binary"
	"io"
	"time"

	"github.com/walletctl/walletctl/walletcore"
)

// copyHeader begins a stream of COPY in binary format: signature, flags,
// length of the extension.
var copyHeader = []byte("PGCOPY\n\xff\r\n\x00\x00\x00\x00\x00\x00\x00\x00\x00")

// rowWriter encodes rows for COPY ... FROM STDIN (FORMAT binary).
type rowWriter struct{ buf []byte }

func (w *rowWriter) begin(columns int) { w.buf = binary.BigEndian.AppendUint16(w.buf, uint16(columns)) }

func (w *rowWriter) end() { w.buf = binary.BigEndian.AppendUint16(w.buf, 0xffff) }

func (w *rowWriter) bytes(value []byte) {
	w.buf = binary.BigEndian.AppendUint32(w.buf, uint32(len(value)))
	w.buf = append(w.buf, value...)
}

func (w *rowWriter) text(value string) { w.bytes([]byte(value)) }

func (w *rowWriter) int64(value int64) {
	w.buf = binary.BigEndian.AppendUint32(w.buf, 8)
	w.buf = binary.BigEndian.AppendUint64(w.buf, uint64(value))
}

func (w *rowWriter) int16(value int16) {
	w.buf = binary.BigEndian.AppendUint32(w.buf, 2)
	w.buf = binary.BigEndian.AppendUint16(w.buf, uint16(value))
}

func (w *rowWriter) time(value time.Time) {
	const from1970to2000 = 946_684_800_000_000
	w.int64(value.UnixMicro() - from1970to2000)
}

// money writes a numeric: groups of four decimal digits, the first worth
// 10000 to the power of weight.
func (w *rowWriter) money(value walletcore.Money) {
	var groups [8]uint16
	sign, units := uint16(0), uint64(value.Units())
	if value.Sign() < 0 {
		sign, units = 0x4000, -units
	}
	first := len(groups)
	for units > 0 {
		first--
		groups[first] = uint16(units % 10_000)
		units /= 10_000
	}
	digits := groups[first:]
	// The last two groups are the eight decimal places.
	weight := len(digits) - 3
	for len(digits) > 0 && digits[len(digits)-1] == 0 {
		digits = digits[:len(digits)-1]
	}
	w.buf = binary.BigEndian.AppendUint32(w.buf, uint32(8+2*len(digits)))
	w.buf = binary.BigEndian.AppendUint16(w.buf, uint16(len(digits)))
	w.buf = binary.BigEndian.AppendUint16(w.buf, uint16(int16(weight)))
	w.buf = binary.BigEndian.AppendUint16(w.buf, sign)
	w.buf = binary.BigEndian.AppendUint16(w.buf, walletcore.Places)
	for _, group := range digits {
		w.buf = binary.BigEndian.AppendUint16(w.buf, group)
	}
}

// flush writes what has come together, once it is more than the given size.
func (w *rowWriter) flush(out io.Writer, over int) error {
	if len(w.buf) <= over {
		return nil
	}
	_, err := out.Write(w.buf)
	w.buf = w.buf[:0]
	return err
}
