package deposit

import (
	"context"
	"errors"
	"log/slog"
	"slices"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/walletctl/walletctl/walletcore"
	"github.com/walletctl/walletctl/walletcore/job"
)

// Wallet credits deposits: gaming, over its RPC.
type Wallet interface {
	// CreditDeposit credits once, whatever the number of calls, and returns the
	// receipt of the first. An error of *walletcore.ConflictError or
	// *walletcore.FieldError, or one with a method Permanent() bool that says
	// true, is final; any other leaves the outcome unknown and is tried again.
	CreditDeposit(ctx context.Context, c walletcore.DepositCredit) (walletcore.Posted, error)
}

// EffectPublisher publishes effects. It returns only when the broker has
// taken the message.
type EffectPublisher interface {
	PublishEffect(ctx context.Context, e Effect) error
}

// Options configure a Service.
type Options struct {
	Queue   *job.Queue      // works the jobs; it is started and stopped by its owner
	Pool    *pgxpool.Pool   // of schema casino
	Wallet  Wallet          // who credits
	Effects EffectPublisher // who carries effects out

	// EffectNames are the effects of a confirmation, by default promotions and
	// affiliates. An empty list that is not nil means none.
	EffectNames []string
	Logger      *slog.Logger  // discarded by default
	NewID       func() string // makes deposit ids; for tests

	Workers       int // credits at the same time in this process; 32 by default
	EffectWorkers int // the same for effects and for looking deposits up again; 8 by default
}

// Validate refuses options that cannot work.
func (o *Options) Validate() error {
	switch {
	case o.Pool == nil:
		return errors.New("deposit options lack a pool")
	case o.Wallet == nil:
		return errors.New("deposit options lack a wallet")
	case o.Effects == nil && len(o.EffectNames) > 0:
		return errors.New("deposit options name effects and lack a publisher")
	case o.Queue == nil:
		return errors.New("deposit options lack a queue")
	case o.Workers < 0 || o.EffectWorkers < 0:
		return errors.New("deposit options hold a negative number")
	}
	names := slices.Clone(o.EffectNames)
	slices.Sort(names)
	if len(slices.Compact(names)) != len(o.EffectNames) {
		return errors.New("deposit options name an effect twice")
	}
	for _, name := range o.EffectNames {
		if err := walletcore.CheckID("effect", name, walletcore.MaxName); err != nil {
			return err
		}
	}
	return nil
}

func (o *Options) withDefaults() Options {
	c := *o
	if c.EffectNames == nil {
		c.EffectNames = []string{"promotions", "affiliates"}
	}
	if c.Logger == nil {
		c.Logger = slog.New(slog.DiscardHandler)
	}
	if c.NewID == nil {
		c.NewID = newID
	}
	if c.Workers == 0 {
		c.Workers = 32
	}
	if c.EffectWorkers == 0 {
		c.EffectWorkers = 8
	}
	return c
}
