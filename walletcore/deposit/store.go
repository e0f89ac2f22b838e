package deposit

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/walletctl/walletctl/walletcore"
	"github.com/walletctl/walletctl/walletcore/pgtx"
)

// Store reads deposits and expires them. It needs no wallet and no queue, so
// that the tools and the worker can use it as well.
type Store struct {
	Pool *pgxpool.Pool
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
func readDeposit(ctx context.Context, db pgtx.Querier, query string, args ...any) (Deposit, error) {
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
	var r pgtx.Receipt
	err := row.Scan(&d.ID, &d.Brand, &d.User, &d.Currency, &d.Amount, &d.Gateway, &d.Account, &d.IdempotencyKey,
		&d.Status, &d.CreatedAt, &d.ExpiresAt, &d.ConfirmedAt, &d.CreditedAt, &d.ChargedBackAt,
		&d.CorrelationID, &d.JobID, &d.Attempts, &d.LastError, &d.LastErrorClass, &d.LastErrorAt, &d.NextAttemptAt,
		&r.WalletID, &r.Seq, &r.RealBefore, &r.RealAfter, &r.BonusBefore, &r.BonusAfter, &r.RecordedAt)
	if err != nil {
		return Deposit{}, err
	}
	d.CreatedAt, d.ExpiresAt = d.CreatedAt.UTC(), d.ExpiresAt.UTC()
	pgtx.UTC(d.ConfirmedAt, d.CreditedAt, d.ChargedBackAt, d.LastErrorAt, d.NextAttemptAt)
	d.Receipt, err = r.Of(walletcore.KindDeposit, d.ID)
	return d, err
}
