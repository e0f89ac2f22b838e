package deposit

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"github.com/walletctl/walletctl/walletcore"
	"github.com/walletctl/walletctl/walletcore/pgtx"
)

const insertPayment = `
insert into casino.payments (gateway, account, payment_id, deposit_id, amount, currency, message_id, occurred_at)
values ($1, $2, $3, $4, $5, $6, $7, $8)
on conflict do nothing`

// claimPayment writes that the message's payment paid the deposit. It reports
// false where the payment paid another deposit already: the unique key decides,
// also between two deliveries at the same instant, of which the second waits
// here for the first.
func claimPayment(ctx context.Context, tx pgx.Tx, d *Deposit, n *walletcore.Notification) (bool, error) {
	tag, err := tx.Exec(ctx, insertPayment, n.Gateway, n.Account, n.PaymentID, d.ID, n.Amount, n.Currency,
		n.MessageID, pgtx.OrNull(n.OccurredAt))
	if err != nil {
		return false, fmt.Errorf("record payment: %w", err)
	}
	return tag.RowsAffected() == 1, nil
}

const (
	selectPaidBy = `
select payment_id
from casino.payments
where deposit_id = $1`
	selectPaidDeposit = `
select deposit_id
from casino.payments
where gateway = $1 and account = $2 and payment_id = $3`
)

// paidBy returns the payment that paid the deposit, empty where none did.
func paidBy(ctx context.Context, db pgtx.Querier, depositID string) (string, error) {
	return pgtx.OptionalText(db.QueryRow(ctx, selectPaidBy, depositID))
}

// paidDeposit returns the deposit that the message's payment paid, empty where
// it paid none.
func paidDeposit(ctx context.Context, db pgtx.Querier, n *walletcore.Notification) (string, error) {
	return pgtx.OptionalText(db.QueryRow(ctx, selectPaidDeposit, n.Gateway, n.Account, n.PaymentID))
}
