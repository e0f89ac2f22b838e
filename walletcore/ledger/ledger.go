package ledger

import (
	"errors"
	"math/rand/v2"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/walletctl/walletctl/walletcore"
)

// Options configure a [Ledger]. The zero value of a field means its default.
type Options struct {
	// Pool is connected as the role gaming. Required.
	Pool *pgxpool.Pool
	// Keys sign the hash chain. Required.
	Keys *walletcore.Keyring
	// MaxAttempts bounds how often one transaction is tried. Default 6.
	MaxAttempts int
	// RetryBase is the first pause between attempts; each next one doubles,
	// and a random part of it is taken. Default 10 ms.
	RetryBase time.Duration
}

func (o *Options) setDefaults() error {
	if o.Pool == nil || o.Keys == nil {
		return errors.New("ledger needs a pool and keys")
	}
	if o.MaxAttempts == 0 {
		o.MaxAttempts = 6
	}
	if o.RetryBase == 0 {
		o.RetryBase = 10 * time.Millisecond
	}
	return nil
}

// Ledger posts movements. It is safe for concurrent use.
type Ledger struct {
	options Options
	pool    *pgxpool.Pool
	hashers hasherPool
	stats   Stats
}

// New returns a ledger over options.
func New(options Options) (*Ledger, error) {
	if err := options.setDefaults(); err != nil {
		return nil, err
	}
	l := &Ledger{options: options, pool: options.Pool}
	l.hashers.keys = options.Keys
	return l, nil
}

// Stats returns the counters of this ledger, which go on counting.
func (l *Ledger) Stats() *Stats { return &l.stats }

// pause returns how long to wait before the given attempt, counted from 1 for
// the second one.
func (l *Ledger) pause(attempt int) time.Duration {
	longest := l.options.RetryBase << min(attempt-1, 8)
	return longest/2 + rand.N(longest/2+1)
}
