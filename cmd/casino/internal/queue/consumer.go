package queue

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/walletctl/walletctl/walletcore"
	"github.com/walletctl/walletctl/walletcore/broker"
	"github.com/walletctl/walletctl/walletcore/inbox"
	"github.com/walletctl/walletctl/walletcore/pgtx"
)

// Applier applies one message of a gateway.
type Applier interface {
	Apply(ctx context.Context, n walletcore.Notification) (inbox.Outcome, error)
}

// ConsumerOptions of Consume.
type ConsumerOptions struct {
	Deposits    Applier
	Withdrawals Applier
	// Probe says whether the database can be reached again after an outage.
	Probe func(ctx context.Context) error
	// Workers apply at the same time. Default 8.
	Workers int
	// DrainTimeout is how long messages in progress may go on after ctx ends.
	DrainTimeout time.Duration
	Logger       *slog.Logger
}

// Consume reads webhooks off the queue, in their account's dialect, and applies
// them until ctx ends. What cannot be read goes to the dead letters with its
// reason. While PostgreSQL is away messages are kept, not given back: that
// would count against their delivery limit.
func Consume(ctx context.Context, conn *broker.Conn, o ConsumerOptions) error {
	return conn.Consume(ctx, broker.ConsumerOptions{
		Queue: NotificationsQueue, DeadLetter: DeadLetterExchange,
		Workers: o.Workers, Probe: o.Probe, DrainTimeout: o.DrainTimeout, Logger: o.Logger,
	}, func(ctx context.Context, d broker.Delivery) error { return o.handle(ctx, d, conn.User()) })
}

func (o *ConsumerOptions) handle(ctx context.Context, d broker.Delivery, user string) error {
	webhook, err := received(d, user)
	if err != nil {
		return &broker.Unprocessable{Reason: err.Error()}
	}
	notifications, err := webhook.Notifications()
	if err != nil {
		return &broker.Unprocessable{Reason: err.Error()}
	}
	for i := range notifications {
		if i > 0 {
			// Each has its own row in the inbox.
			notifications[i].MessageID = fmt.Sprintf("%s/%d", webhook.MessageID, i+1)
		}
		to := o.Deposits
		if notifications[i].OfPayout() {
			to = o.Withdrawals
		}
		if err := apply(ctx, to, notifications[i]); err != nil {
			return err
		}
	}
	return nil
}

func apply(ctx context.Context, to Applier, n walletcore.Notification) error {
	_, err := to.Apply(ctx, n)
	var field *walletcore.FieldError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &field):
		return &broker.Unprocessable{Reason: err.Error()}
	case pgtx.Outage(err):
		return &broker.Unavailable{Err: err}
	}
	return err
}
