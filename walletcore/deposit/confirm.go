package deposit

import (
	"context"

	"github.com/jackc/pgx/v5"

	"github.com/walletctl/walletctl/walletcore"
)

// confirm moves the locked deposit to confirmed, with everything that belongs
// to it in the same transaction: the payment, the job that credits it and one
// effect of each kind. A crash after the commit loses nothing, one before it
// leaves nothing.
func (s *Service) confirm(ctx context.Context, tx pgx.Tx, d *Deposit, n *walletcore.Notification, v verdict) (verdict, error) {
	claimed, err := claimPayment(ctx, tx, d, n)
	if err != nil {
		return v, err
	}
	if !claimed {
		return s.paymentReused(ctx, tx, d, n)
	}
	jobID, err := s.queueCredit(ctx, tx, d.ID, n.MessageID)
	if err != nil {
		return v, err
	}
	if err := exactlyOne(ctx, tx, confirmDeposit, d.ID, s.now(), n.MessageID, jobID); err != nil {
		return v, err
	}
	if err := s.recordEffects(ctx, tx, d.ID, n.MessageID); err != nil {
		return v, err
	}
	return v, addEvent(ctx, tx, Event{
		DepositID: d.ID, Kind: EventConfirmed, From: d.Status, To: Confirmed, MessageID: n.MessageID,
	})
}

// paymentReused is where the payments' unique key refused: the payment paid
// another deposit.
func (s *Service) paymentReused(ctx context.Context, tx pgx.Tx, d *Deposit, n *walletcore.Notification) (verdict, error) {
	other, err := paidDeposit(ctx, tx, n)
	if err != nil {
		return verdict{}, err
	}
	v := raise(CasePaymentReused, "the payment paid another deposit before", "", n.PaymentID)
	return v, s.openMessageCase(ctx, tx, d, n, v, other)
}
