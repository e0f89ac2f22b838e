package withdrawal

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"

	"github.com/walletctl/walletctl/walletcore/pgtx"
)

const insertWithdrawal = `
insert into casino.withdrawals
  (id, brand_id, user_id, currency, amount, gateway, account, destination, idempotency_key, correlation_id,
   created_at, debit_job_id, next_attempt_at)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $11)
on conflict (brand_id, idempotency_key) do nothing`

// Create asks for a withdrawal, with the job that debits it, and reports whether
// it is new: the same key of the same brand gets the withdrawal that it made,
// for ever.
//
// The error is a *walletcore.FieldError for a withdrawal that could never be
// debited, a *ConflictError where the key stands for another one.
func (s *Service) Create(ctx context.Context, n New) (Withdrawal, bool, error) {
	if err := n.Validate(); err != nil {
		return Withdrawal{}, false, err
	}
	if w, err := s.resent(ctx, &n); !errors.Is(err, ErrNotFound) {
		return w, false, err
	}
	created := true
	err := pgtx.Retry(ctx, func() error {
		return pgx.BeginFunc(ctx, s.Pool, func(tx pgx.Tx) error { return s.create(ctx, tx, &n) })
	})
	if errors.Is(err, pgtx.ErrSettled) { // the same request was faster a moment ago
		created, err = false, nil
	}
	if err != nil {
		return Withdrawal{}, false, fmt.Errorf("create withdrawal: %w", err)
	}
	w, err := s.resent(ctx, &n)
	return w, created && err == nil, err
}

func (s *Service) create(ctx context.Context, tx pgx.Tx, n *New) error {
	id := s.opts.NewID()
	jobID, err := s.insert(ctx, tx, laneDebit, debitArgs{id})
	if err != nil {
		return err
	}
	tag, err := tx.Exec(ctx, insertWithdrawal, id, n.Brand, n.User, n.Currency, n.Amount, n.Gateway, n.Account,
		n.Destination, n.IdempotencyKey, n.CorrelationID, s.now(), jobID)
	if err != nil {
		return err
	}
	if tag.RowsAffected() == 0 {
		return pgtx.ErrSettled
	}
	return addEvent(ctx, tx, Event{WithdrawalID: id, Kind: EventRequested, To: Requested})
}

// resent returns the withdrawal that the key made, ErrNotFound where it made
// none.
func (s *Service) resent(ctx context.Context, n *New) (Withdrawal, error) {
	w, err := read(ctx, s.Pool, selectByKey, n.Brand, n.IdempotencyKey)
	if err != nil {
		return Withdrawal{}, err
	}
	for _, f := range []struct{ field, stored, given string }{
		{"user", w.User, n.User},
		{"currency", w.Currency, n.Currency},
		{"amount", w.Amount.String(), n.Amount.String()},
		{"gateway", w.Gateway, n.Gateway},
		{"account", w.Account, n.Account},
		{"destination", w.Destination, n.Destination},
	} {
		if f.stored != f.given {
			return Withdrawal{}, &ConflictError{WithdrawalID: w.ID, Field: f.field, Stored: f.stored, Given: f.given}
		}
	}
	return w, nil
}
