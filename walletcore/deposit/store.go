package deposit

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/walletctl/walletctl/walletcore"
)

// Store reads deposits and expires them. It needs no wallet and no queue, so
// that the tools and the worker can use it as well.
type Store struct {
	Pool *pgxpool.Pool
}

// querier is what a pool, a connection and a transaction have in common.
type querier interface {
	Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error)
	QueryRow(ctx context.Context, sql string, args ...any) pgx.Row
	Exec(ctx context.Context, sql string, args ...any) (pgconn.CommandTag, error)
}

const selectDeposit = `
select id, brand_id, user_id, currency, amount, gateway, account, idempotency_key, status::text,
  created_at, expires_at, confirmed_at, credited_at, charged_back_at,
  coalesce(correlation_id, ''), coalesce(job_id, 0), attempts,
  coalesce(last_error, ''), coalesce(last_error_class, ''), last_error_at, next_attempt_at,
  receipt_wallet_id, receipt_seq, receipt_real_before::text, receipt_real_after::text,
  receipt_bonus_before::text, receipt_bonus_after::text, receipt_recorded_at
from casino.deposits`

const (
	selectDepositOfBrand = selectDeposit + ` where id = $1 and brand_id = $2`
	selectDepositLocked  = selectDeposit + ` where id = $1 for no key update`
	selectDepositByKey   = selectDeposit + ` where brand_id = $1 and idempotency_key = $2`
	selectDepositByID    = selectDeposit + ` where id = $1`
)

// Get returns a deposit of a brand. ErrNotFound where there is none, also when
// the id is another brand's.
func (s *Store) Get(ctx context.Context, brand, id string) (Deposit, error) {
	return readDeposit(ctx, s.Pool, selectDepositOfBrand, id, brand)
}

// readDeposit returns the one deposit that the query selects, or ErrNotFound.
func readDeposit(ctx context.Context, db querier, query string, args ...any) (Deposit, error) {
	rows, err := db.Query(ctx, query, args...)
	if err != nil {
		return Deposit{}, fmt.Errorf("read deposit: %w", err)
	}
	d, err := pgx.CollectExactlyOneRow(rows, scanDeposit)
	if errors.Is(err, pgx.ErrNoRows) {
		return Deposit{}, ErrNotFound
	}
	if err != nil {
		return Deposit{}, fmt.Errorf("read deposit: %w", err)
	}
	return d, nil
}

func scanDeposit(row pgx.CollectableRow) (Deposit, error) {
	var d Deposit
	var r receiptRow
	err := row.Scan(&d.ID, &d.Brand, &d.User, &d.Currency, &d.Amount, &d.Gateway, &d.Account, &d.IdempotencyKey,
		&d.Status, &d.CreatedAt, &d.ExpiresAt, &d.ConfirmedAt, &d.CreditedAt, &d.ChargedBackAt,
		&d.CorrelationID, &d.JobID, &d.Attempts, &d.LastError, &d.LastErrorClass, &d.LastErrorAt, &d.NextAttemptAt,
		&r.wallet, &r.seq, &r.realBefore, &r.realAfter, &r.bonusBefore, &r.bonusAfter, &r.recordedAt)
	if err != nil {
		return Deposit{}, err
	}
	d.CreatedAt, d.ExpiresAt = d.CreatedAt.UTC(), d.ExpiresAt.UTC()
	for _, t := range []*time.Time{d.ConfirmedAt, d.CreditedAt, d.ChargedBackAt, d.LastErrorAt, d.NextAttemptAt} {
		if t != nil {
			*t = t.UTC()
		}
	}
	d.Receipt, err = r.receipt(d.ID)
	return d, err
}

// receiptRow is a receipt's columns: all there or all null.
type receiptRow struct {
	wallet                                         *uuid.UUID
	seq                                            *int64
	realBefore, realAfter, bonusBefore, bonusAfter *string
	recordedAt                                     *time.Time
}

func (r *receiptRow) receipt(depositID string) (*walletcore.Receipt, error) {
	if r.wallet == nil {
		return nil, nil
	}
	receipt := &walletcore.Receipt{
		WalletID: *r.wallet, Seq: *r.seq, Kind: walletcore.KindDeposit, ExternalID: depositID, RecordedAt: r.recordedAt.UTC(),
	}
	var err error
	for _, part := range []struct {
		to   *walletcore.Money
		text *string
	}{
		{&receipt.RealBefore, r.realBefore},
		{&receipt.RealAfter, r.realAfter},
		{&receipt.BonusBefore, r.bonusBefore},
		{&receipt.BonusAfter, r.bonusAfter},
	} {
		if *part.to, err = walletcore.ParseMoney(*part.text); err != nil {
			return nil, err
		}
	}
	return receipt, nil
}

// orNull turns a zero value into NULL.
func orNull[T comparable](v T) any {
	var zero T
	if v == zero {
		return nil
	}
	return v
}

const maxText = 2000

// clip fits a text of any origin into a bounded text column: errors may quote
// what a stranger sent.
func clip(text string) string {
	text = strings.Map(func(r rune) rune {
		if r == 0 {
			return '\uFFFD'
		}
		return r
	}, strings.ToValidUTF8(text, "\uFFFD"))
	if len(text) > maxText {
		text = strings.ToValidUTF8(text[:maxText-4], "") + "…"
	}
	return text
}
