package backfill

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/walletctl/walletctl/walletcore"
)

const (
	// DefaultBatch is the number of wallets of one transaction.
	DefaultBatch = 1000
	// MaxBatch is the greatest one.
	MaxBatch = 10_000
	// DefaultHorizon is how far back providers send again, unless they said less.
	DefaultHorizon = 7 * 24 * time.Hour
	// maxRefusals bounds how many refused wallets are named; all are counted.
	maxRefusals = 1000
)

// OpeningOptions configure an [Opening].
type OpeningOptions struct {
	// Pool is connected as a member of backfill, to the primary and past any
	// pooler: a lock is held between transactions. It needs two connections.
	// Required.
	Pool *pgxpool.Pool
	// Keys sign the chains that begin. Required.
	Keys *walletcore.Keyring
	// Brand is what is opened. Required.
	Brand string
	// Batch is the number of wallets of one transaction. Default DefaultBatch.
	Batch int
	// AllowDebt takes a balance below zero as a debt of the player. Without it
	// such a wallet is refused.
	AllowDebt bool
	// DryRun decides on every wallet and writes nothing. The brand may still be
	// closed.
	DryRun bool
	// AsOf is when the balances were taken. Default: when they are written.
	AsOf time.Time
	// Host and Client are kept with each step of the brand.
	Host, Client string
	// Progress, if set, hears how far a run is, after each batch.
	Progress func(Brought)
}

// Validate refuses options that cannot work.
func (o *OpeningOptions) Validate() error {
	switch {
	case o.Pool == nil || o.Keys == nil:
		return errors.New("opening needs a pool and keys")
	case o.Batch < 0 || o.Batch > MaxBatch:
		return errors.New("opening needs a batch of at most 10,000 wallets")
	}
	return walletcore.CheckID("brand", o.Brand, walletcore.MaxName)
}

// Opening takes one brand from closed to live.
type Opening struct {
	o OpeningOptions
}

// NewOpening checks the options. The error may be a *walletcore.FieldError.
func NewOpening(o OpeningOptions) (*Opening, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	if o.Batch == 0 {
		o.Batch = DefaultBatch
	}
	if o.Progress == nil {
		o.Progress = func(Brought) {}
	}
	return &Opening{o: o}, nil
}

// lockOf is the advisory lock of a brand's opening: 64 bits of a strong hash
// over a namespaced text.
func lockOf(brand string) int64 {
	sum := sha256.Sum256([]byte("walletctl backfill open " + brand))
	return int64(binary.BigEndian.Uint64(sum[:8]))
}

const (
	tryLock = `select pg_try_advisory_lock($1)`
	unlock  = `select pg_advisory_unlock($1)`
)

// A server that is busy with a statement of a run that was killed learns of its
// end behind that statement.
const (
	lockPatience = 3 * time.Second
	lockPause    = 50 * time.Millisecond
)

// alone runs work while no other run opens the brand. The error is ErrRunning
// where one does.
func (o *Opening) alone(ctx context.Context, work func(*pgxpool.Conn) error) (err error) {
	conn, err := o.o.Pool.Acquire(ctx)
	if err != nil {
		return err
	}
	defer conn.Release()
	if err := o.lock(ctx, conn); err != nil {
		return err
	}
	defer func() {
		if conn.Conn().IsClosed() {
			return // and the lock with it
		}
		_, unlockErr := conn.Exec(context.WithoutCancel(ctx), unlock, lockOf(o.o.Brand))
		err = errors.Join(err, unlockErr)
	}()
	return work(conn)
}

func (o *Opening) lock(ctx context.Context, conn *pgxpool.Conn) error {
	patience := time.NewTimer(lockPatience)
	defer patience.Stop()
	pause := time.NewTicker(lockPause)
	defer pause.Stop()
	for {
		var mine bool
		if err := conn.QueryRow(ctx, tryLock, lockOf(o.o.Brand)).Scan(&mine); err != nil || mine {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-patience.C:
			return ErrRunning
		case <-pause.C:
		}
	}
}
