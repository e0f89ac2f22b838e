package unkeyed

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// KeeperOptions configure a [Keeper].
type KeeperOptions struct {
	Pool *pgxpool.Pool // required: gaming's
	// Listed are who may send movements without an id, Unlisted the other
	// producers of the same file.
	Listed, Unlisted []Producer
	// Interval is how often what was refused is written down. Default: 10 s.
	Interval time.Duration
	// Logger hears of what could not be written, which is tried again. Default:
	// none.
	Logger *slog.Logger
}

// Validate checks o and fills in the defaults.
func (o *KeeperOptions) Validate() error {
	switch {
	case o.Pool == nil:
		return errors.New("a keeper of the list needs a pool")
	case o.Interval < 0:
		return errors.New("a keeper of the list needs an interval that is not negative")
	case o.Interval == 0:
		o.Interval = 10 * time.Second
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	return nil
}

// Keeper keeps the list in the database. Safe for concurrent use.
type Keeper struct {
	o KeeperOptions

	mu      sync.Mutex
	refused map[[2]string]int64 // by brand and provider
}

// NewKeeper returns a keeper; Run makes it work.
func NewKeeper(o KeeperOptions) (*Keeper, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	return &Keeper{o: o, refused: map[[2]string]int64{}}, nil
}

// Refuse counts a movement that was refused after the deadline. It never waits
// for the database.
func (k *Keeper) Refuse(brand, provider string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.refused[[2]string{brand, provider}]++
}

// lastWrite bounds what a program that ends waits for the database.
const lastWrite = 2 * time.Second

// Run writes the list down, and then what is refused, until ctx is cancelled.
func (k *Keeper) Run(ctx context.Context) error {
	listed := false
	ticker := time.NewTicker(k.o.Interval)
	defer ticker.Stop()
	for {
		if !listed {
			listed = k.try(ctx, func() error { return List(ctx, k.o.Pool, k.o.Listed, k.o.Unlisted) })
		}
		k.try(ctx, func() error { return k.flush(ctx) })
		select {
		case <-ctx.Done():
			last, cancel := context.WithTimeout(context.WithoutCancel(ctx), lastWrite)
			defer cancel()
			k.try(last, func() error { return k.flush(last) })
			return nil
		case <-ticker.C:
		}
	}
}

func (k *Keeper) try(ctx context.Context, do func() error) bool {
	err := do()
	if err != nil && ctx.Err() == nil {
		k.o.Logger.WarnContext(ctx, "list of movements without an id not kept", "error", err)
	}
	return err == nil
}

const addRefused = `
update gaming.unkeyed_producers
set refused = refused + $3, refused_at = clock_timestamp()
where brand_id = $1 and provider = $2`

// flush writes down what was refused; what could not be written is kept.
func (k *Keeper) flush(ctx context.Context) error {
	refused := k.take()
	if len(refused) == 0 {
		return nil
	}
	batch := &pgx.Batch{}
	for key, n := range refused {
		batch.Queue(addRefused, key[0], key[1], n)
	}
	if err := k.o.Pool.SendBatch(ctx, batch).Close(); err != nil {
		k.give(refused)
		return fmt.Errorf("count what was refused: %w", err)
	}
	return nil
}

func (k *Keeper) take() map[[2]string]int64 {
	k.mu.Lock()
	defer k.mu.Unlock()
	refused := k.refused
	k.refused = map[[2]string]int64{}
	return refused
}

func (k *Keeper) give(refused map[[2]string]int64) {
	k.mu.Lock()
	defer k.mu.Unlock()
	for key, n := range refused {
		k.refused[key] += n
	}
}
