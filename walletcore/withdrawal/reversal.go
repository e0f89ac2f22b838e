package withdrawal

import (
	"context"

	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"

	"github.com/walletctl/walletctl/walletcore"
)

const rejectWithdrawal = `
update casino.withdrawals
set status = 'rejected', rejected_at = $2, reason = $3, reversal_job_id = $4, next_attempt_at = $2,
  attempts = attempts + $5
where id = $1 and status in ('requested', 'debited')`

// reject takes the locked withdrawal to rejected, with the job that gives its
// money back. The event's detail is the reason.
func (s *Service) reject(ctx context.Context, tx pgx.Tx, w *Withdrawal, e Event) error {
	jobID, err := s.insert(ctx, tx, laneReversal, reversalArgs{w.ID})
	if err != nil {
		return err
	}
	if err := settle(ctx, tx, rejectWithdrawal, w.ID, s.now(), e.Detail, jobID, min(e.Attempt, 1)); err != nil {
		return err
	}
	e.WithdrawalID, e.Kind, e.From, e.To = w.ID, EventRejected, w.Status, Rejected
	if err := addEvent(ctx, tx, e); err != nil {
		return err
	}
	return closeCases(ctx, tx, w.ID, Rejected, CaseDebitExhausted, CaseDebitInvalid, CasePayoutExhausted)
}

// reverse makes one attempt to have the money given back, or the id closed.
func (s *Service) reverse(ctx context.Context, j *river.Job[reversalArgs]) error {
	w, err := read(ctx, s.Pool, selectByID, j.Args.WithdrawalID)
	if err != nil || w.Status != Rejected {
		return err
	}
	o, err := order(&w)
	if err != nil {
		return err
	}
	o.OccurredAt = *w.RejectedAt
	answer, err := s.opts.Wallet.ReverseWithdrawal(ctx, o)
	if err != nil {
		return err
	}
	moved := w.Amount
	if answer.State == walletcore.WithdrawalClosed && w.Receipt == nil {
		moved = walletcore.Money{}
	}
	if err := checkReceipt(&w, &answer.Receipt, walletcore.KindWithdrawalReversal, moved); err != nil {
		return err
	}
	return s.record(ctx, func(ctx context.Context, tx pgx.Tx) error {
		return s.markReversed(ctx, tx, &w, &answer.Receipt, j.Attempt)
	})
}

const reverseWithdrawal = `
update casino.withdrawals
set status = 'reversed', reversed_at = $2, attempts = attempts + 1, next_attempt_at = null,
  reversal_wallet_id = $3, reversal_seq = $4, reversal_real_before = $5, reversal_real_after = $6,
  reversal_bonus_before = $7, reversal_bonus_after = $8, reversal_recorded_at = $9
where id = $1 and status = 'rejected'`

func (s *Service) markReversed(ctx context.Context, tx pgx.Tx, w *Withdrawal, r *walletcore.Receipt, attempt int) error {
	err := settle(ctx, tx, reverseWithdrawal, w.ID, s.now(), r.WalletID, r.Seq, r.RealBefore, r.RealAfter,
		r.BonusBefore, r.BonusAfter, r.RecordedAt)
	if err != nil {
		return err
	}
	if err := addEvent(ctx, tx, Event{
		WithdrawalID: w.ID, Kind: EventReversed, From: Rejected, To: Reversed, Attempt: attempt,
	}); err != nil {
		return err
	}
	return closeCases(ctx, tx, w.ID, Reversed, CaseReversalExhausted, CaseReversalInvalid, CaseKeyConflict)
}
