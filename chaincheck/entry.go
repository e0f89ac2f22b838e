package chaincheck

import (
	"errors"
	"fmt"

	"github.com/walletctl/walletctl/walletcore"
)

// entryColumns are the columns that decode reads, in its order.
const (
	entryColumns = `e.wallet_id, e.seq, e.kind, e.external_id, e.real_before, e.real_after, e.bonus_before, e.bonus_after, ` +
		`e.reference, e.round_id, e.actor, e.details, e.occurred_at, e.recorded_at, e.key_id, e.hash, e.mark`
	entryWidth = 17
)

// amountError says that a column holds no amount.
type amountError struct {
	column string
	err    error
}

func (e *amountError) Error() string { return e.column + " " + e.err.Error() }

func (e *amountError) Unwrap() error { return e.err }

// isAmount reports whether an entry can be used: its decoder returned no error,
// or one of its amounts only.
func isAmount(err error) bool {
	if err == nil {
		return true
	}
	var bad *amountError
	return errors.As(err, &bad)
}

// entryDecoder reads entries. It keeps the few kinds and actors there are, so
// that most entries cost one allocation.
type entryDecoder struct {
	names map[string]string
}

const maxNames = 10_000

// decode overwrites e. The error is an *amountError or errCopyFormat; after the
// former all else of e is good.
func (d *entryDecoder) decode(fields [][]byte, e *walletcore.Entry) error {
	if len(fields) != entryWidth || len(fields[0]) != 16 || len(fields[15]) != walletcore.HashSize {
		return errCopyFormat
	}
	e.WalletID = decodeID(fields[0])
	e.Seq = decodeInt64(fields[1])
	e.Kind = walletcore.Kind(d.name(fields[2]))
	e.ExternalID = string(fields[3])
	e.Reference = string(fields[8])
	e.RoundID = string(fields[9])
	e.Actor = d.name(fields[10])
	e.Details = append(e.Details[:0], fields[11]...)
	e.OccurredAt = decodeTime(fields[12])
	e.RecordedAt = decodeTime(fields[13])
	e.KeyID = decodeInt16(fields[14])
	e.Hash = decodeHash(fields[15])
	e.Mark = walletcore.Mark(d.name(fields[16]))
	return decodeBalances(fields[4:8], e)
}

func decodeBalances(fields [][]byte, e *walletcore.Entry) error {
	columns := [...]string{"real_before", "real_after", "bonus_before", "bonus_after"}
	for i, target := range [...]*walletcore.Money{&e.RealBefore, &e.RealAfter, &e.BonusBefore, &e.BonusAfter} {
		var err error
		if *target, err = decodeMoney(fields[i]); err != nil {
			return &amountError{columns[i], err}
		}
	}
	return nil
}

func (d *entryDecoder) name(b []byte) string {
	if known, ok := d.names[string(b)]; ok {
		return known
	}
	if d.names == nil || len(d.names) >= maxNames {
		d.names = map[string]string{}
	}
	s := string(b)
	d.names[s] = s
	return s
}

// place names an entry for people.
func place(e *walletcore.Entry) string {
	return fmt.Sprintf("%s %q recorded at %s", e.Kind, e.ExternalID, e.RecordedAt.Format("2006-01-02T15:04:05.000000Z"))
}
