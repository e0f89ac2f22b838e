package ledger

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/walletctl/walletctl/walletcore"
)

// Limits of a page of history.
const (
	// DefaultPage is the number of entries that a page has unless it is told.
	DefaultPage = 50
	// MaxPage is the greatest number of entries of one page.
	MaxPage = 1000
)

// ErrNoWallet says that nothing was ever posted to the wallet.
var ErrNoWallet = errors.New("there is no such wallet")

// Wallet is a wallet as it stands.
type Wallet struct {
	ID        uuid.UUID
	Key       walletcore.WalletKey
	Real      walletcore.Money
	Bonus     walletcore.Money
	DebtLimit walletcore.Money          // how far real may be below zero
	Frozen    bool                      // it, or its brand: bets and withdrawals are refused
	Seq       int64                     // of its last entry
	Head      [walletcore.HashSize]byte // the hash of its last entry
}

// Reader reads wallets and their history. It needs select on schema gaming and
// no more, and works on a replica as well.
type Reader struct {
	pool *pgxpool.Pool
}

// NewReader returns a reader over pool.
func NewReader(pool *pgxpool.Pool) *Reader { return &Reader{pool: pool} }

const selectWallet = `
select id, brand_id, user_id, currency, real, bonus, debt_limit, seq, head,
  frozen or exists (select from gaming.brands b where b.brand_id = w.brand_id and b.frozen)
from gaming.wallets w
where id = $1`

// Wallet returns a wallet by its id; [walletcore.WalletKey.ID] derives it. The
// error is ErrNoWallet where there is none.
func (r *Reader) Wallet(ctx context.Context, id uuid.UUID) (Wallet, error) {
	rows, err := r.pool.Query(ctx, selectWallet, id)
	if err != nil {
		return Wallet{}, fmt.Errorf("read wallet %s: %w", id, err)
	}
	wallet, err := pgx.CollectExactlyOneRow(rows, scanWallet)
	switch {
	case errors.Is(err, pgx.ErrNoRows):
		return Wallet{}, ErrNoWallet
	case err != nil:
		return Wallet{}, fmt.Errorf("read wallet %s: %w", id, err)
	}
	return wallet, nil
}

func scanWallet(row pgx.CollectableRow) (Wallet, error) {
	var w Wallet
	var head []byte
	err := row.Scan(&w.ID, &w.Key.Brand, &w.Key.User, &w.Key.Currency, &w.Real, &w.Bonus, &w.DebtLimit, &w.Seq, &head, &w.Frozen)
	if err != nil {
		return w, err
	}
	w.Head, err = hashOf(head)
	return w, err
}

// HistoryOptions select entries of one wallet. The zero value selects the
// newest DefaultPage of them.
type HistoryOptions struct {
	// BeforeSeq, where set, selects entries below it: the next page begins
	// before the last entry of this one.
	BeforeSeq *int64
	// Since and Until bound recorded_at, Since included and Until not; zero is
	// no bound. Clocks step: an entry between two others may lie outside.
	Since time.Time
	Until time.Time
	// Kind selects entries of one kind; empty is all.
	Kind walletcore.Kind
	// Limit is the greatest number of entries, at most MaxPage; 0 is
	// DefaultPage.
	Limit int
}

// Validate refuses options that no entry can meet. The error is a
// *walletcore.FieldError.
func (o *HistoryOptions) Validate() error {
	switch {
	case o.Limit < 0 || o.Limit > MaxPage:
		return &walletcore.FieldError{Field: "limit", Reason: fmt.Sprintf("must be between 1 and %d", MaxPage)}
	case !o.Since.IsZero() && !o.Until.IsZero() && !o.Since.Before(o.Until):
		return &walletcore.FieldError{Field: "until", Reason: "must be after since"}
	}
	return nil
}

// The order is that of the primary key, read backwards: each page begins where
// the one before ended, however long the history is.
const selectHistory = `
select seq, kind::text, external_id, coalesce(mark::text, ''), real_before, real_after, bonus_before, bonus_after,
  coalesce(reference, ''), coalesce(round_id, ''), actor, details::text, occurred_at, recorded_at, hash, key_id
from gaming.entries
where wallet_id = $1
  and ($2::bigint is null or seq < $2)
  and ($3::timestamptz is null or recorded_at >= $3)
  and ($4::timestamptz is null or recorded_at < $4)
  and ($5::text is null or kind::text = $5)
order by seq desc
limit $6`

// History returns a page of a wallet's entries, the newest first. A wallet that
// does not exist has none.
func (r *Reader) History(ctx context.Context, id uuid.UUID, opts HistoryOptions) ([]walletcore.Entry, error) {
	if err := opts.Validate(); err != nil {
		return nil, err
	}
	if opts.Limit == 0 {
		opts.Limit = DefaultPage
	}
	rows, err := r.pool.Query(ctx, selectHistory, id, opts.BeforeSeq,
		given(opts.Since), given(opts.Until), given(string(opts.Kind)), opts.Limit)
	if err != nil {
		return nil, fmt.Errorf("read history of wallet %s: %w", id, err)
	}
	entries, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (walletcore.Entry, error) {
		return scanEntry(id, row)
	})
	if err != nil {
		return nil, fmt.Errorf("read history of wallet %s: %w", id, err)
	}
	return entries, nil
}

func scanEntry(id uuid.UUID, row pgx.CollectableRow) (walletcore.Entry, error) {
	e := walletcore.Entry{WalletID: id}
	var details *string
	var hash []byte
	err := row.Scan(&e.Seq, &e.Kind, &e.ExternalID, &e.Mark, &e.RealBefore, &e.RealAfter, &e.BonusBefore, &e.BonusAfter,
		&e.Reference, &e.RoundID, &e.Actor, &details, &e.OccurredAt, &e.RecordedAt, &hash, &e.KeyID)
	if err != nil {
		return e, err
	}
	if details != nil {
		e.Details = []byte(*details)
	}
	e.OccurredAt, e.RecordedAt = e.OccurredAt.UTC(), e.RecordedAt.UTC()
	e.Hash, err = hashOf(hash)
	return e, err
}

func hashOf(stored []byte) (hash [walletcore.HashSize]byte, err error) {
	if len(stored) != walletcore.HashSize {
		return hash, fmt.Errorf("hash of %d bytes", len(stored))
	}
	return [walletcore.HashSize]byte(stored), nil
}

// given turns a zero value into NULL.
func given[T comparable](value T) *T {
	var zero T
	if value == zero {
		return nil
	}
	return &value
}
