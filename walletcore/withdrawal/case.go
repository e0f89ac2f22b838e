package withdrawal

import (
	"context"

	"github.com/jackc/pgx/v5"

	"github.com/walletctl/walletctl/walletcore/casework"
)

// The kinds of cases about withdrawals.
const (
	CaseUnknownWithdrawal  casework.Kind = "unknown_withdrawal"   // a message names a withdrawal that there is not
	CaseBrandMismatch      casework.Kind = "brand_mismatch"       // a brand's account names another brand's withdrawal; an alarm
	CaseGatewayMismatch    casework.Kind = "gateway_mismatch"     // another gateway or account than the withdrawal's
	CaseCurrencyMismatch   casework.Kind = "currency_mismatch"    // paid or rejected in another currency
	CaseAmountMismatch     casework.Kind = "amount_mismatch"      // another amount was paid or rejected
	CaseDebitExhausted     casework.Kind = "debit_exhausted"      // no attempt to debit succeeded; one may have gone through
	CaseDebitInvalid       casework.Kind = "debit_invalid"        // gaming can never take this order
	CaseReversalExhausted  casework.Kind = "reversal_exhausted"   // rejected, and no attempt to give back succeeded
	CaseReversalInvalid    casework.Kind = "reversal_invalid"     // gaming can never take this order
	CaseKeyConflict        casework.Kind = "key_conflict"         // gaming has this id with other content
	CasePayoutExhausted    casework.Kind = "payout_exhausted"     // debited, and the payout could not be asked for
	CasePayoutUnnamed      casework.Kind = "payout_unnamed"       // paid, but by which payout?
	CasePayoutReused       casework.Kind = "payout_reused"        // the payout paid another withdrawal already
	CaseSecondPayout       casework.Kind = "second_payout"        // the withdrawal was paid already, by another payout
	CasePaidBeforeDebit    casework.Kind = "paid_before_debit"    // paid, and as far as we know not taken from the wallet
	CasePaidAfterRejection casework.Kind = "paid_after_rejection" // paid, and the money was given back
	CaseRejectedAfterPaid  casework.Kind = "rejected_after_paid"  // paid, and now the payout failed
)

// subject is what a case about a withdrawal is about.
func subject(id string) casework.Subject {
	return casework.Subject{Type: casework.SubjectWithdrawal, ID: id}
}

// openCase opens a case and writes it into the withdrawal's history.
func openCase(ctx context.Context, tx pgx.Tx, w *Withdrawal, c casework.New) error {
	c.Brand, c.Subject = w.Brand, subject(w.ID)
	opened, err := casework.Open(ctx, tx, c)
	if err != nil || !opened {
		return err
	}
	return addEvent(ctx, tx, Event{
		WithdrawalID: w.ID, Kind: EventCaseOpened, Detail: string(c.Kind), MessageID: c.Detail.MessageID,
	})
}

// closeCases closes what the withdrawal's own progress has settled.
func closeCases(ctx context.Context, tx pgx.Tx, id string, resolution Status, kinds ...casework.Kind) error {
	closed, err := casework.Close(ctx, tx, subject(id), string(resolution), kinds...)
	if err != nil {
		return err
	}
	for _, kind := range closed {
		if err := addEvent(ctx, tx, Event{WithdrawalID: id, Kind: EventCaseClosed, Detail: string(kind)}); err != nil {
			return err
		}
	}
	return nil
}
