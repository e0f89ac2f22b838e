package history

import (
	"context"
	"errors"
	"time"

	"github.com/google/uuid"

	"github.com/walletctl/walletctl/walletcore"
	"github.com/walletctl/walletctl/walletcore/record"
)

// Scanned says what a source holds of a brand.
type Scanned struct {
	Source record.Summary `json:"source"` // of everything that was read
	// Totals are of the rows that are this brand's and in the range.
	Totals     []record.Total `json:"totals"`
	Rows       int64          `json:"rows"`
	OtherBrand int64          `json:"other_brand"`   // rows of other brands
	OutOfRange int64          `json:"out_of_range"`  // rows before Since, or from Until on
	Unkeyed    int64          `json:"without_an_id"` // rows that got a deterministic one, or would have to
	First      time.Time      `json:"first_at"`      // the earliest of Rows; zero where there is none
	Last       time.Time      `json:"last_at"`
	// Bad are the first rows that are no movements, BadRows how many there are.
	Bad     []string `json:"row_errors"`
	BadRows int64    `json:"row_errors_total"`
}

// maxBad bounds the errors of rows that are kept.
const maxBad = 100

// scanner reads a source into a sorter.
type scanner struct {
	options *Options
	sorter  *sorter
	found   Scanned
	totals  totals
	wallets map[walletcore.WalletKey]uuid.UUID
}

// scan reads the whole source. A row that is no movement is counted and its
// error kept; what ends the reading is returned.
func (s *scanner) scan(ctx context.Context, feed Feed) error {
	for rec, err := range feed.Records() {
		if err != nil {
			if bad, isRow := errors.AsType[*record.RowError](err); isRow {
				s.refuse(bad)
				continue
			}
			return err
		}
		if err := s.take(ctx, &rec); err != nil {
			return err
		}
	}
	s.found.Source = feed.Summary()
	s.found.Totals = s.totals.list()
	return nil
}

func (s *scanner) refuse(err error) {
	s.found.BadRows++
	if len(s.found.Bad) < maxBad {
		s.found.Bad = append(s.found.Bad, err.Error())
	}
}

func (s *scanner) take(ctx context.Context, rec *record.Record) error {
	o := s.options
	switch {
	case rec.Brand != "" && rec.Brand != o.Brand:
		s.found.OtherBrand++
		return nil
	case rec.Time.IsZero() || rec.Kind == "" || rec.User == "" || rec.Currency == "":
		s.refuse(&record.RowError{Position: rec.Position, Err: errIncomplete})
		return nil
	case (!o.Since.IsZero() && rec.Time.Before(o.Since)) || (!o.Until.IsZero() && !rec.Time.Before(o.Until)):
		s.found.OutOfRange++
		return nil
	}
	if err := s.check(rec); err != nil {
		s.refuse(err)
		return nil
	}
	s.count(rec)
	r := s.row(rec)
	return s.sorter.put(ctx, r.append(make([]byte, 0, 256)))
}

// check refuses what no entry of an older history can hold.
func (s *scanner) check(rec *record.Record) error {
	bad := func(field string, err error) error {
		return &record.RowError{Position: rec.Position, Field: field, Err: err}
	}
	moved := walletcore.Parts{Real: rec.Real, Bonus: rec.Bonus}
	switch {
	case rec.Kind == walletcore.KindOpening, rec.Kind == walletcore.KindBroughtForward,
		rec.Kind == walletcore.KindHistorySeal:
		return bad("kind", errNotHistory)
	case rec.Kind == walletcore.KindAdjustment && moved == walletcore.Parts{}:
		return bad("real", errMovesNothing)
	case rec.Kind != walletcore.KindAdjustment && !rec.Kind.MayMove(moved):
		return bad("real", errDirection)
	case rec.ID == "" && !s.options.Unkeyed:
		return bad("id", errNoID)
	case rec.ID != "":
		if err := walletcore.CheckID("id", rec.ID, walletcore.MaxExternalID-len(duplicateSuffix)-maxDigits); err != nil {
			return bad("id", err)
		}
	}
	return nil
}

func (s *scanner) count(rec *record.Record) {
	f := &s.found
	f.Rows++
	if rec.ID == "" {
		f.Unkeyed++
	}
	if f.First.IsZero() || rec.Time.Before(f.First) {
		f.First = rec.Time
	}
	if rec.Time.After(f.Last) {
		f.Last = rec.Time
	}
	s.totals.add(rec.Kind, rec.Currency, rec.Real, rec.Bonus)
}

func (s *scanner) row(rec *record.Record) row {
	r := row{
		wallet: s.walletID(rec), ordinal: s.found.Rows, position: rec.Position, user: rec.User, currency: rec.Currency,
		kind: rec.Kind, id: rec.ID, real: rec.Real, bonus: rec.Bonus, realAfter: rec.RealAfter, bonusAfter: rec.BonusAfter,
		reference: rec.Reference, round: rec.Round, actor: rec.Actor, at: rec.Time.Truncate(time.Microsecond), digest: rec.Digest,
	}
	switch s.options.Mapping.Order {
	case record.OrderTime:
		r.order = r.at.UnixMicro()
	case record.OrderSequence:
		r.order = rec.Sequence
	}
	return r
}

// maxWallets bounds how many ids are remembered: sources often have the rows
// of a wallet near each other.
const maxWallets = 100_000

func (s *scanner) walletID(rec *record.Record) uuid.UUID {
	key := walletcore.WalletKey{Brand: s.options.Brand, User: rec.User, Currency: rec.Currency}
	if id, ok := s.wallets[key]; ok {
		return id
	}
	if len(s.wallets) >= maxWallets {
		clear(s.wallets)
	}
	key.User = string(append([]byte(nil), rec.User...))
	id := key.ID()
	s.wallets[key] = id
	return id
}
