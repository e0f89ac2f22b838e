package deposit

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"slices"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/walletctl/walletctl/walletcore"
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
	Pool    *pgxpool.Pool   // of schema casino; one connection of it listens for jobs
	Wallet  Wallet          // who credits
	Effects EffectPublisher // who carries effects out

	// EffectNames are the effects of a confirmation, by default promotions and
	// affiliates. An empty list that is not nil means none.
	EffectNames []string
	Clock       func() time.Time // time.Now by default
	Logger      *slog.Logger     // discarded by default
	NewID       func() string    // makes deposit ids; for tests

	RetryBase     time.Duration // the first wait after a failure, doubled after each further one; 30 s by default
	JobTimeout    time.Duration // of one attempt, more than an RPC's deadline; 30 s by default. A killed process's job is rescued after 4 of it
	Workers       int           // credits at the same time in this process; 32 by default
	EffectWorkers int           // the same for effects and for looking deposits up again; 8 by default
	SweepInterval time.Duration // between two sweeps for lost jobs; 1 minute by default, negative for none
	StopTimeout   time.Duration // what running jobs get to end when the service stops; 10 s by default

	// PollOnly does without LISTEN, for a pooler in transaction mode. A job
	// then waits for PollInterval at the most, where it would start at once.
	PollOnly     bool
	PollInterval time.Duration // 1 s by default, 100 ms with PollOnly
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
	case o.RetryBase < 0 || o.Workers < 0 || o.EffectWorkers < 0 || o.StopTimeout < 0 || o.PollInterval < 0 ||
		o.JobTimeout < 0:
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
	if c.Clock == nil {
		c.Clock = time.Now
	}
	if c.Logger == nil {
		c.Logger = slog.New(slog.NewTextHandler(io.Discard, nil))
	}
	if c.NewID == nil {
		c.NewID = newID
	}
	setDefault(&c.RetryBase, 30*time.Second)
	setDefault(&c.JobTimeout, 30*time.Second)
	setDefault(&c.Workers, 32)
	setDefault(&c.EffectWorkers, 8)
	setDefault(&c.SweepInterval, time.Minute)
	setDefault(&c.StopTimeout, 10*time.Second)
	if c.PollOnly {
		setDefault(&c.PollInterval, 100*time.Millisecond)
	}
	setDefault(&c.PollInterval, time.Second)
	return c
}

func setDefault[T comparable](field *T, value T) {
	var zero T
	if *field == zero {
		*field = value
	}
}
