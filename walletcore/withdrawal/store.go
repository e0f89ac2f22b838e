package withdrawal

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/walletctl/walletctl/walletcore"
	"github.com/walletctl/walletctl/walletcore/pgtx"
)

// Store reads withdrawals. It needs no wallet and no queue, so that the tools
// can use it as well.
type Store struct {
	Pool *pgxpool.Pool
}

const selectWithdrawal = `
select id, brand_id, user_id, currency, amount, gateway, account, destination, idempotency_key, correlation_id,
  status::text, created_at, debited_at, payout_requested_at, paid_at, rejected_at, coalesce(reason, ''), reversed_at,
  debit_job_id, coalesce(payout_job_id, 0), coalesce(reversal_job_id, 0), attempts,
  coalesce(last_error, ''), coalesce(last_error_class, ''), last_error_at, next_attempt_at,
  receipt_wallet_id, receipt_seq, receipt_real_before::text, receipt_real_after::text,
  receipt_bonus_before::text, receipt_bonus_after::text, receipt_recorded_at,
  reversal_wallet_id, reversal_seq, reversal_real_before::text, reversal_real_after::text,
  reversal_bonus_before::text, reversal_bonus_after::text, reversal_recorded_at
from casino.withdrawals`

const (
	selectOfBrand = selectWithdrawal + ` where id = $1 and brand_id = $2`
	selectLocked  = selectWithdrawal + ` where id = $1 for no key update`
	selectByKey   = selectWithdrawal + ` where brand_id = $1 and idempotency_key = $2`
	selectByID    = selectWithdrawal + ` where id = $1`
)

// Get returns a withdrawal of a brand. ErrNotFound where there is none, also
// when the id is another brand's.
func (s *Store) Get(ctx context.Context, brand, id string) (Withdrawal, error) {
	return read(ctx, s.Pool, selectOfBrand, id, brand)
}

// Find returns a withdrawal by its id alone, for the operators' tools: they
// look at every brand. ErrNotFound where there is none.
func (s *Store) Find(ctx context.Context, id string) (Withdrawal, error) {
	return read(ctx, s.Pool, selectByID, id)
}

// read returns the one withdrawal that the query selects, or ErrNotFound.
func read(ctx context.Context, db pgtx.Querier, query string, args ...any) (Withdrawal, error) {
	rows, err := db.Query(ctx, query, args...)
	if err != nil {
		return Withdrawal{}, fmt.Errorf("read withdrawal: %w", err)
	}
	w, err := pgx.CollectExactlyOneRow(rows, scan)
	if errors.Is(err, pgx.ErrNoRows) {
		return Withdrawal{}, ErrNotFound
	}
	if err != nil {
		return Withdrawal{}, fmt.Errorf("read withdrawal: %w", err)
	}
	return w, nil
}

func scan(row pgx.CollectableRow) (Withdrawal, error) {
	var w Withdrawal
	var debit, back pgtx.Receipt
	err := row.Scan(&w.ID, &w.Brand, &w.User, &w.Currency, &w.Amount, &w.Gateway, &w.Account, &w.Destination,
		&w.IdempotencyKey, &w.CorrelationID, &w.Status, &w.CreatedAt, &w.DebitedAt, &w.PayoutRequestedAt, &w.PaidAt,
		&w.RejectedAt, &w.Reason, &w.ReversedAt, &w.DebitJobID, &w.PayoutJobID, &w.ReversalJobID, &w.Attempts,
		&w.LastError, &w.LastErrorClass, &w.LastErrorAt, &w.NextAttemptAt,
		&debit.WalletID, &debit.Seq, &debit.RealBefore, &debit.RealAfter, &debit.BonusBefore, &debit.BonusAfter,
		&debit.RecordedAt,
		&back.WalletID, &back.Seq, &back.RealBefore, &back.RealAfter, &back.BonusBefore, &back.BonusAfter,
		&back.RecordedAt)
	if err != nil {
		return Withdrawal{}, err
	}
	pgtx.UTC(&w.CreatedAt, w.DebitedAt, w.PayoutRequestedAt, w.PaidAt, w.RejectedAt, w.ReversedAt, w.LastErrorAt, w.NextAttemptAt)
	if w.Receipt, err = debit.Of(walletcore.KindWithdrawal, w.ID); err != nil {
		return Withdrawal{}, err
	}
	w.Reversal, err = back.Of(walletcore.KindWithdrawalReversal, w.ID)
	return w, err
}
