package deposit

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"

	"github.com/walletctl/walletctl/walletcore"
	"github.com/walletctl/walletctl/walletcore/casework"
	"github.com/walletctl/walletctl/walletcore/job"
	"github.com/walletctl/walletctl/walletcore/pgtx"
)

// credit makes one attempt. The deposit is read again: what the job knew when
// it was queued may be long ago.
func (s *Service) credit(ctx context.Context, j *river.Job[creditArgs]) error {
	d, err := readDeposit(ctx, s.Pool, selectDepositByID, j.Args.DepositID)
	if err != nil {
		return err
	}
	if d.Status != Confirmed {
		return nil
	}
	request, err := s.creditRequest(ctx, &d)
	if err != nil {
		return err
	}
	posted, err := s.opts.Wallet.CreditDeposit(ctx, request)
	if err != nil {
		return err
	}
	if err := checkReceipt(&d, &posted.Receipt); err != nil {
		return err
	}
	return s.markCredited(ctx, &d, &posted.Receipt, j.Attempt)
}

// creditDetails is kept in the ledger's entry, so that money can be followed
// from there to the payment.
type creditDetails struct {
	Gateway   string `json:"gateway"`
	Account   string `json:"account"`
	PaymentID string `json:"payment_id"`
}

// creditRequest is made of what is stored only: each attempt sends the same.
func (s *Service) creditRequest(ctx context.Context, d *Deposit) (walletcore.DepositCredit, error) {
	payment, err := paidBy(ctx, s.Pool, d.ID)
	if err != nil {
		return walletcore.DepositCredit{}, err
	}
	details, err := json.Marshal(creditDetails{Gateway: d.Gateway, Account: d.Account, PaymentID: payment})
	if err != nil {
		return walletcore.DepositCredit{}, err
	}
	return walletcore.DepositCredit{
		DepositID: d.ID, Wallet: d.Wallet(), Amount: d.Amount,
		OccurredAt: *d.ConfirmedAt, CorrelationID: d.CorrelationID, Details: details,
	}, nil
}

// checkReceipt refuses a receipt that is not this deposit's: an answer that
// went astray must not mark anything.
func checkReceipt(d *Deposit, r *walletcore.Receipt) error {
	wrong := ""
	switch {
	case r.Kind != walletcore.KindDeposit || r.ExternalID != d.ID:
		wrong = fmt.Sprintf("is of %s %s", r.Kind, r.ExternalID)
	case r.WalletID != d.Wallet().ID():
		wrong = "is of wallet " + r.WalletID.String()
	case r.RealAfter.Sub(r.RealBefore) != d.Amount:
		wrong = "moved " + r.RealAfter.Sub(r.RealBefore).String()
	case r.BonusAfter != r.BonusBefore:
		wrong = "moved bonus"
	default:
		return nil
	}
	return fmt.Errorf("%w: it %s", ErrForeignReceipt, wrong)
}

const creditDeposit = `
update casino.deposits
set status = 'credited', credited_at = $2, attempts = attempts + 1, next_attempt_at = null,
  receipt_wallet_id = $3, receipt_seq = $4, receipt_real_before = $5, receipt_real_after = $6,
  receipt_bonus_before = $7, receipt_bonus_after = $8, receipt_recorded_at = $9
where id = $1 and status = 'confirmed'`

// markCredited ends the deposit's way. The money has moved, so it is written
// even where the job's time is over; where it cannot be, the next attempt gets
// the same receipt.
func (s *Service) markCredited(ctx context.Context, d *Deposit, r *walletcore.Receipt, attempt int) error {
	ctx, cancel := job.RecordContext(ctx)
	defer cancel()
	return pgtx.Retry(ctx, func() error {
		return pgx.BeginFunc(ctx, s.Pool, func(tx pgx.Tx) error {
			tag, err := tx.Exec(ctx, creditDeposit, d.ID, s.now(), r.WalletID, r.Seq, r.RealBefore, r.RealAfter,
				r.BonusBefore, r.BonusAfter, r.RecordedAt)
			if err != nil {
				return fmt.Errorf("mark deposit credited: %w", err)
			}
			if tag.RowsAffected() == 0 {
				return nil // another attempt was faster, with the same receipt
			}
			if err := addEvent(ctx, tx, Event{
				DepositID: d.ID, Kind: EventCredited, From: Confirmed, To: Credited, Attempt: attempt,
			}); err != nil {
				return err
			}
			return settleCreditCases(ctx, tx, d.ID)
		})
	})
}

// settleCreditCases closes the cases that said that the deposit could not be
// credited.
func settleCreditCases(ctx context.Context, tx pgx.Tx, id string) error {
	closed, err := casework.Close(ctx, tx, subject(id), "credited", CaseCreditExhausted, CaseCreditInvalid, CaseKeyConflict)
	if err != nil {
		return err
	}
	for _, kind := range closed {
		if err := addEvent(ctx, tx, Event{DepositID: id, Kind: EventCaseClosed, Detail: string(kind)}); err != nil {
			return err
		}
	}
	return nil
}
