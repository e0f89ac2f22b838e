package withdrawal

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"

	"github.com/walletctl/walletctl/walletcore"
	"github.com/walletctl/walletctl/walletcore/job"
	"github.com/walletctl/walletctl/walletcore/pgtx"
)

// reasonClosed is why a withdrawal is rejected that gaming has closed or given
// back before casino knew that it was debited.
const reasonClosed = "closed_in_ledger"

// debit makes one attempt to have the amount taken. The withdrawal is read
// again: what the job knew when it was queued may be long ago.
func (s *Service) debit(ctx context.Context, j *river.Job[debitArgs]) error {
	w, err := read(ctx, s.Pool, selectByID, j.Args.WithdrawalID)
	if err != nil || w.Status != Requested {
		return err
	}
	o, err := order(&w)
	if err != nil {
		return err
	}
	answer, err := s.opts.Wallet.DebitWithdrawal(ctx, o)
	var refused *walletcore.RefusedError
	if errors.As(err, &refused) {
		return s.record(ctx, func(ctx context.Context, tx pgx.Tx) error {
			return s.refuse(ctx, tx, w.ID, string(refused.Code), j.Attempt)
		})
	}
	if err != nil {
		return err
	}
	if answer.State != walletcore.WithdrawalDebited {
		return s.record(ctx, func(ctx context.Context, tx pgx.Tx) error {
			return s.refuse(ctx, tx, w.ID, reasonClosed, j.Attempt)
		})
	}
	if err := checkReceipt(&w, &answer.Receipt, walletcore.KindWithdrawal, w.Amount.Neg()); err != nil {
		return err
	}
	return s.record(ctx, func(ctx context.Context, tx pgx.Tx) error {
		return s.markDebited(ctx, tx, &w, &answer.Receipt, j.Attempt)
	})
}

// orderDetails is kept in the ledger's entry, so that money can be followed
// from there to the payout.
type orderDetails struct {
	Gateway string `json:"gateway"`
	Account string `json:"account"`
}

// order is made of what is stored only: each attempt sends the same.
func order(w *Withdrawal) (walletcore.WithdrawalOrder, error) {
	details, err := json.Marshal(orderDetails{w.Gateway, w.Account})
	if err != nil {
		return walletcore.WithdrawalOrder{}, err
	}
	return walletcore.WithdrawalOrder{
		WithdrawalID: w.ID, Wallet: w.Wallet(), Amount: w.Amount, OccurredAt: w.CreatedAt,
		CorrelationID: w.CorrelationID, Details: details,
	}, nil
}

// checkReceipt refuses a receipt that is not this withdrawal's: an answer that
// went astray must not mark anything.
func checkReceipt(w *Withdrawal, r *walletcore.Receipt, kind walletcore.Kind, moved walletcore.Money) error {
	wrong := ""
	switch {
	case r.Kind != kind || r.ExternalID != w.ID:
		wrong = fmt.Sprintf("is of %s %s", r.Kind, r.ExternalID)
	case r.WalletID != w.Wallet().ID():
		wrong = "is of wallet " + r.WalletID.String()
	case r.RealAfter.Sub(r.RealBefore) != moved:
		wrong = "moved " + r.RealAfter.Sub(r.RealBefore).String()
	case r.BonusAfter != r.BonusBefore:
		wrong = "moved bonus"
	default:
		return nil
	}
	return fmt.Errorf("%w: it %s", ErrForeignReceipt, wrong)
}

// record writes down what gaming answered. The money may have moved, so it is
// written even where the job's time is over; where it cannot be, the next
// attempt gets the same answer.
func (s *Service) record(ctx context.Context, write func(context.Context, pgx.Tx) error) error {
	ctx, cancel := job.RecordContext(ctx)
	defer cancel()
	err := pgtx.Retry(ctx, func() error {
		return pgx.BeginFunc(ctx, s.Pool, func(tx pgx.Tx) error { return write(ctx, tx) })
	})
	if errors.Is(err, pgtx.ErrSettled) {
		return nil // another attempt was faster, with the same answer
	}
	return err
}

const debitWithdrawal = `
update casino.withdrawals
set status = 'debited', debited_at = $2, payout_job_id = $3, attempts = attempts + 1, next_attempt_at = null,
  receipt_wallet_id = $4, receipt_seq = $5, receipt_real_before = $6, receipt_real_after = $7,
  receipt_bonus_before = $8, receipt_bonus_after = $9, receipt_recorded_at = $10
where id = $1 and status = 'requested'`

func (s *Service) markDebited(ctx context.Context, tx pgx.Tx, w *Withdrawal, r *walletcore.Receipt, attempt int) error {
	now, err := read(ctx, tx, selectLocked, w.ID)
	if err != nil {
		return err
	}
	if now.Status != Requested {
		return pgtx.ErrSettled
	}
	jobID, err := s.insert(ctx, tx, lanePayout, payoutArgs{w.ID})
	if err != nil {
		return err
	}
	err = settle(ctx, tx, debitWithdrawal, w.ID, s.now(), jobID, r.WalletID, r.Seq, r.RealBefore, r.RealAfter,
		r.BonusBefore, r.BonusAfter, r.RecordedAt)
	if err != nil {
		return err
	}
	if err := addEvent(ctx, tx, Event{
		WithdrawalID: w.ID, Kind: EventDebited, From: Requested, To: Debited, Attempt: attempt,
	}); err != nil {
		return err
	}
	return closeCases(ctx, tx, w.ID, Debited, CaseDebitExhausted, CaseDebitInvalid, CaseKeyConflict)
}

// refuse rejects a withdrawal that the wallet will not have. An earlier attempt
// may still be on its way there, so the reversal closes the id.
func (s *Service) refuse(ctx context.Context, tx pgx.Tx, id, reason string, attempt int) error {
	w, err := read(ctx, tx, selectLocked, id)
	if err != nil {
		return err
	}
	if w.Status != Requested {
		return pgtx.ErrSettled
	}
	return s.reject(ctx, tx, &w, Event{Attempt: attempt, Detail: reason})
}

// settle makes a move that another may have made.
func settle(ctx context.Context, tx pgx.Tx, query string, args ...any) error {
	tag, err := tx.Exec(ctx, query, args...)
	if err != nil {
		return fmt.Errorf("move withdrawal: %w", err)
	}
	if tag.RowsAffected() == 0 {
		return pgtx.ErrSettled
	}
	return nil
}
