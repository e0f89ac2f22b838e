package pgtx

import (
	"time"

	"github.com/google/uuid"

	"github.com/walletctl/walletctl/walletcore"
)

// Receipt is a receipt's columns: all there or all null. The amounts are read
// as text.
type Receipt struct {
	WalletID                                       *uuid.UUID
	Seq                                            *int64
	RealBefore, RealAfter, BonusBefore, BonusAfter *string
	RecordedAt                                     *time.Time
}

// Of returns the receipt of what has this kind and id, nil where there is none.
func (r *Receipt) Of(kind walletcore.Kind, id string) (*walletcore.Receipt, error) {
	if r.WalletID == nil {
		return nil, nil
	}
	receipt := &walletcore.Receipt{
		WalletID: *r.WalletID, Seq: *r.Seq, Kind: kind, ExternalID: id, RecordedAt: r.RecordedAt.UTC(),
	}
	var err error
	for _, part := range []struct {
		to   *walletcore.Money
		text *string
	}{
		{&receipt.RealBefore, r.RealBefore},
		{&receipt.RealAfter, r.RealAfter},
		{&receipt.BonusBefore, r.BonusBefore},
		{&receipt.BonusAfter, r.BonusAfter},
	} {
		if *part.to, err = walletcore.ParseMoney(*part.text); err != nil {
			return nil, err
		}
	}
	return receipt, nil
}

// UTC turns the times that are there to UTC.
func UTC(times ...*time.Time) {
	for _, t := range times {
		if t != nil {
			*t = t.UTC()
		}
	}
}
