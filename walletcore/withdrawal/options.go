package withdrawal

import (
	"context"
	"errors"
	"log/slog"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/walletctl/walletctl/walletcore"
	"github.com/walletctl/walletctl/walletcore/job"
)

// Wallet debits withdrawals and gives them back: gaming, over its RPC. Each
// call takes effect once, whatever the number of calls. An error of
// *walletcore.RefusedError is the wallet's own refusal; one of
// *walletcore.ConflictError or *walletcore.FieldError is final; any other leaves
// the outcome unknown and is tried again.
type Wallet interface {
	DebitWithdrawal(ctx context.Context, o walletcore.WithdrawalOrder) (walletcore.Withdrawn, error)
	ReverseWithdrawal(ctx context.Context, o walletcore.WithdrawalOrder) (walletcore.Withdrawn, error)
}

// PayoutPublisher asks for payouts. It returns only when the broker has taken
// the message.
type PayoutPublisher interface {
	PublishPayout(ctx context.Context, p Payout) error
}

// Options configure a Service.
type Options struct {
	Queue   *job.Queue      // works the jobs; it is started and stopped by its owner
	Pool    *pgxpool.Pool   // of schema casino
	Wallet  Wallet          // who debits and gives back
	Payouts PayoutPublisher // who carries the requests for payouts

	Logger  *slog.Logger  // discarded by default
	NewID   func() string // makes withdrawal ids; for tests
	Workers int           // of each kind of job at the same time in this process; 16 by default
}

// Validate refuses options that cannot work.
func (o *Options) Validate() error {
	switch {
	case o.Pool == nil:
		return errors.New("withdrawal options lack a pool")
	case o.Queue == nil:
		return errors.New("withdrawal options lack a queue")
	case o.Wallet == nil:
		return errors.New("withdrawal options lack a wallet")
	case o.Payouts == nil:
		return errors.New("withdrawal options lack a publisher of payouts")
	case o.Workers < 0:
		return errors.New("withdrawal options hold a negative number")
	}
	return nil
}

func (o *Options) withDefaults() Options {
	c := *o
	if c.Logger == nil {
		c.Logger = slog.New(slog.DiscardHandler)
	}
	if c.NewID == nil {
		c.NewID = newID
	}
	if c.Workers == 0 {
		c.Workers = 16
	}
	return c
}
