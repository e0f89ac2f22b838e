package deposit

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"github.com/walletctl/walletctl/walletcore"
	"github.com/walletctl/walletctl/walletcore/pgtx"
)

const confirmDeposit = `
update casino.deposits
set status = 'confirmed', confirmed_at = $2, correlation_id = $3, job_id = $4, next_attempt_at = $2
where id = $1 and status in ('pending', 'expired', 'failed')`

const moveDeposit = `
update casino.deposits
set status = $2
where id = $1 and status = $3`

const markChargedBack = `
update casino.deposits
set charged_back_at = $2
where id = $1 and charged_back_at is null`

// move takes the locked deposit to another status that moves no money.
func (s *Service) move(ctx context.Context, tx pgx.Tx, d *Deposit, n *walletcore.Notification, to Status) error {
	if err := exactlyOne(ctx, tx, moveDeposit, d.ID, string(to), string(d.Status)); err != nil {
		return err
	}
	return addEvent(ctx, tx, Event{
		DepositID: d.ID, Kind: EventKind(to), From: d.Status, To: to, MessageID: n.MessageID,
	})
}

// exactlyOne is for an update of the row whose lock is held.
func exactlyOne(ctx context.Context, tx pgx.Tx, query string, args ...any) error {
	if err := pgtx.ExactlyOne(ctx, tx, query, args...); err != nil {
		return fmt.Errorf("move deposit: %w", err)
	}
	return nil
}
