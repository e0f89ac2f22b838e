package withdrawal

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"

	"github.com/walletctl/walletctl/walletcore"
	"github.com/walletctl/walletctl/walletcore/casework"
)

// EventPayout names the request for a payout.
const EventPayout = "payout.requested"

// Payout asks whoever pays to pay a withdrawal. It is published at least once,
// always with the same message id, by which its receiver knows it.
type Payout struct {
	MessageID     string           `json:"message_id"`
	Event         string           `json:"event"`
	WithdrawalID  string           `json:"withdrawal_id"`
	Brand         string           `json:"brand"`
	User          string           `json:"user"`
	Currency      string           `json:"currency"`
	Amount        walletcore.Money `json:"amount"`
	Gateway       string           `json:"gateway"`
	Account       string           `json:"account"`
	Destination   string           `json:"destination"`
	DebitedAt     time.Time        `json:"debited_at"`
	CorrelationID string           `json:"correlation_id"`
}

// payoutOf makes the request from what is stored only, so that it is the same
// each time.
func payoutOf(w *Withdrawal) Payout {
	return Payout{
		MessageID: EventPayout + ":" + w.ID, Event: EventPayout, WithdrawalID: w.ID,
		Brand: w.Brand, User: w.User, Currency: w.Currency, Amount: w.Amount,
		Gateway: w.Gateway, Account: w.Account, Destination: w.Destination,
		DebitedAt: *w.DebitedAt, CorrelationID: w.CorrelationID,
	}
}

// publish makes one attempt to ask for the payout. Only what is debited may be
// paid: what was rejected meanwhile is not asked for.
func (s *Service) publish(ctx context.Context, j *river.Job[payoutArgs]) error {
	w, err := read(ctx, s.Pool, selectByID, j.Args.WithdrawalID)
	if err != nil || w.Status != Debited || w.PayoutRequestedAt != nil {
		return err
	}
	if err := s.opts.Payouts.PublishPayout(ctx, payoutOf(&w)); err != nil {
		return fmt.Errorf("ask for the payout of %s: %w", w.ID, err)
	}
	return s.record(ctx, func(ctx context.Context, tx pgx.Tx) error {
		return s.markPublished(ctx, tx, w.ID, j.Attempt)
	})
}

const markPayoutRequested = `
update casino.withdrawals
set payout_requested_at = $2
where id = $1 and status in ('debited', 'paid') and payout_requested_at is null`

func (s *Service) markPublished(ctx context.Context, tx pgx.Tx, id string, attempt int) error {
	if err := settle(ctx, tx, markPayoutRequested, id, s.now()); err != nil {
		return err
	}
	if err := addEvent(ctx, tx, Event{WithdrawalID: id, Kind: EventPayoutRequested, Attempt: attempt}); err != nil {
		return err
	}
	return closeCases(ctx, tx, id, "payout requested", CasePayoutExhausted)
}

// publishFailed writes the failure down, and opens the case of the last one.
func (s *Service) publishFailed(ctx context.Context, j *river.Job[payoutArgs], cause error) error {
	id := j.Args.WithdrawalID
	s.opts.Logger.WarnContext(ctx, "payout was not asked for", "withdrawal_id", id, "attempt", j.Attempt, "error", cause)
	err := s.record(ctx, func(ctx context.Context, tx pgx.Tx) error {
		w, err := read(ctx, tx, selectLocked, id)
		if err != nil {
			return err
		}
		err = addEvent(ctx, tx, Event{
			WithdrawalID: id, Kind: EventPayoutFailed, Attempt: j.Attempt, Detail: cause.Error(),
		})
		if err != nil || j.Attempt < j.MaxAttempts {
			return err
		}
		return openCase(ctx, tx, &w, casework.New{
			Kind: CasePayoutExhausted, Cause: casework.AttemptCause(j.ID, j.Attempt),
			Detail: casework.Detail{Reason: payingOut.given, Attempts: j.Attempt, Error: cause.Error()},
		})
	})
	return errors.Join(cause, err)
}
