package withdrawal

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"github.com/walletctl/walletctl/walletcore"
	"github.com/walletctl/walletctl/walletcore/pgtx"
)

const insertPayout = `
insert into casino.payouts (gateway, account, payout_id, withdrawal_id, amount, currency, message_id, occurred_at)
values ($1, $2, $3, $4, $5, $6, $7, $8)
on conflict do nothing`

// claimPayout writes that the message's payout paid the withdrawal. It reports
// false where the payout paid another one already: the unique key decides, also
// between two deliveries at the same instant, of which the second waits here
// for the first.
func claimPayout(ctx context.Context, tx pgx.Tx, w *Withdrawal, n *walletcore.Notification) (bool, error) {
	tag, err := tx.Exec(ctx, insertPayout, n.Gateway, n.Account, n.PaymentID, w.ID, n.Amount, n.Currency,
		n.MessageID, pgtx.OrNull(n.OccurredAt))
	if err != nil {
		return false, fmt.Errorf("record payout: %w", err)
	}
	return tag.RowsAffected() == 1, nil
}

const (
	selectPaidBy = `
select payout_id
from casino.payouts
where withdrawal_id = $1`
	selectPaidWithdrawal = `
select withdrawal_id
from casino.payouts
where gateway = $1 and account = $2 and payout_id = $3`
)

// PaidBy returns the gateway's id of the payout that paid a withdrawal, empty
// where none did.
func (s *Store) PaidBy(ctx context.Context, id string) (string, error) {
	return paidBy(ctx, s.Pool, id)
}

func paidBy(ctx context.Context, db pgtx.Querier, id string) (string, error) {
	return pgtx.OptionalText(db.QueryRow(ctx, selectPaidBy, id))
}

// paidWithdrawal returns the withdrawal that the message's payout paid, empty
// where it paid none.
func paidWithdrawal(ctx context.Context, db pgtx.Querier, n *walletcore.Notification) (string, error) {
	return pgtx.OptionalText(db.QueryRow(ctx, selectPaidWithdrawal, n.Gateway, n.Account, n.PaymentID))
}
