package inbox

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/walletctl/walletctl/walletcore"
	"github.com/walletctl/walletctl/walletcore/pgtx"
)

// Handler does what a message asks for, in the transaction, and returns what
// came of it, with the job that looks at it again where it is unmatched.
type Handler func(ctx context.Context, tx pgx.Tx, n *walletcore.Notification) (o Outcome, jobID int64, err error)

// Apply handles one message, in one transaction with its row. The same message
// id again changes nothing and gets the recorded outcome.
//
// The error is a *walletcore.FieldError for a message that no inbox can keep;
// with any other error nothing was changed, or whether it was is unknown, and
// the same message can be applied again.
func Apply(ctx context.Context, pool *pgxpool.Pool, n *walletcore.Notification, handle Handler) (Outcome, error) {
	if err := Check(n); err != nil {
		return Outcome{}, err
	}
	var o Outcome
	err := pgtx.Retry(ctx, func() (err error) {
		o, err = applyOnce(ctx, pool, n, handle)
		return err
	})
	if err != nil {
		return Outcome{}, fmt.Errorf("apply message %s: %w", n.MessageID, err)
	}
	return o, nil
}

func applyOnce(ctx context.Context, pool *pgxpool.Pool, n *walletcore.Notification, handle Handler) (Outcome, error) {
	if o, found, err := Recorded(ctx, pool, n.MessageID); found || err != nil {
		return o, err
	}
	var o Outcome
	err := pgx.BeginFunc(ctx, pool, func(tx pgx.Tx) (err error) {
		var jobID int64
		if o, jobID, err = handle(ctx, tx, n); err != nil {
			return err
		}
		return Keep(ctx, tx, n, o, jobID)
	})
	if errors.Is(err, pgtx.ErrSettled) {
		o, _, err = Recorded(ctx, pool, n.MessageID)
	}
	return o, err
}
