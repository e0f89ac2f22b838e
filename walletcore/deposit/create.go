package deposit

import (
	"context"
	"errors"
	"fmt"

	"github.com/walletctl/walletctl/walletcore"
)

const insertDeposit = `
with made as (
  insert into casino.deposits
    (id, brand_id, user_id, currency, amount, gateway, account, idempotency_key, created_at, expires_at)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
  on conflict (brand_id, idempotency_key) do nothing
  returning id
)
insert into casino.deposit_events (deposit_id, kind, to_status)
select id, 'created', 'pending'
from made`

// Create makes a pending deposit and reports whether it is new: the same key of
// the same brand gets the deposit that it made, for ever. ExpiresAt is not
// compared, since a resend counts from its own time.
//
// The error is a *walletcore.FieldError for a deposit that could never be
// credited, a *ConflictError where the key stands for another one.
func (s *Service) Create(ctx context.Context, n New) (Deposit, bool, error) {
	if err := n.Validate(); err != nil {
		return Deposit{}, false, err
	}
	if d, err := s.resent(ctx, &n); !errors.Is(err, ErrNotFound) {
		return d, false, err
	}
	now := s.now()
	if !n.ExpiresAt.After(now) {
		return Deposit{}, false, &walletcore.FieldError{Field: "expires_at", Reason: "must be in the future"}
	}
	id := s.opts.NewID()
	tag, err := s.Pool.Exec(ctx, insertDeposit, id, n.Brand, n.User, n.Currency, n.Amount, n.Gateway, n.Account,
		n.IdempotencyKey, now, n.ExpiresAt)
	if err != nil {
		return Deposit{}, false, fmt.Errorf("create deposit: %w", err)
	}
	// Where nothing was written, the same request was faster a moment ago.
	d, err := s.resent(ctx, &n)
	return d, err == nil && tag.RowsAffected() == 1, err
}

// resent returns the deposit that the key made, ErrNotFound where it made none.
func (s *Service) resent(ctx context.Context, n *New) (Deposit, error) {
	d, err := readDeposit(ctx, s.Pool, selectDepositByKey, n.Brand, n.IdempotencyKey)
	if err != nil {
		return Deposit{}, err
	}
	for _, f := range []struct{ field, stored, given string }{
		{"user", d.User, n.User},
		{"currency", d.Currency, n.Currency},
		{"amount", d.Amount.String(), n.Amount.String()},
		{"gateway", d.Gateway, n.Gateway},
		{"account", d.Account, n.Account},
	} {
		if f.stored != f.given {
			return Deposit{}, &ConflictError{DepositID: d.ID, Field: f.field, Stored: f.stored, Given: f.given}
		}
	}
	return d, nil
}
