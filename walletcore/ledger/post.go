package ledger

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/walletctl/walletctl/walletcore"
)

// Outcome is what became of one movement of a batch.
type Outcome struct {
	Posted walletcore.Posted
	// Err is nil, or says why nothing was posted: a *walletcore.FieldError, a
	// *walletcore.ConflictError or a *walletcore.RefusedError.
	Err error
}

// Post posts a batch in one transaction and returns an outcome for each
// movement, in order. Each has its own: one that is refused, in conflict or
// replayed does not hurt its neighbours. Movements of one wallet are applied in
// the order given.
//
// The error is about the batch as a whole: nothing in it was posted, or, where
// it is an *[UnavailableError] that says so, the outcome is unknown. Either
// way the same batch may be posted again.
func (l *Ledger) Post(ctx context.Context, movements []Movement) ([]Outcome, error) {
	if len(movements) > MaxBatch {
		return nil, fmt.Errorf("post %d movements: at most %d are one batch", len(movements), MaxBatch)
	}
	outcomes := make([]Outcome, len(movements))
	var valid []Movement
	var places []int
	for i := range movements {
		if err := movements[i].Validate(); err != nil {
			outcomes[i].Err = err
			continue
		}
		valid, places = append(valid, movements[i]), append(places, i)
	}
	if len(valid) > 0 {
		posted, err := l.postValid(ctx, newRequest(valid))
		if err != nil {
			return nil, err
		}
		for i, place := range places {
			outcomes[place] = posted[i]
		}
	}
	l.stats.count(outcomes)
	return outcomes, nil
}

// postValid tries the transaction until it went through, was refused for good,
// or the attempts ran out.
func (l *Ledger) postValid(ctx context.Context, r *request) ([]Outcome, error) {
	unknown := false
	for attempt := 1; ; attempt++ {
		outcomes, err := l.attempt(ctx, r)
		var missing *missingWallets
		if errors.As(err, &missing) {
			if err = l.open(ctx, r, missing.wallets); err == nil {
				outcomes, err = l.attempt(ctx, r)
			}
		}
		if err == nil {
			return outcomes, nil
		}
		class := classify(err)
		if class == failFinal {
			return nil, fmt.Errorf("post %d movements: %w", len(r.movements), err)
		}
		var commit *commitError
		if class == failConnection && errors.As(err, &commit) {
			unknown = true
			l.stats.UnknownCommit.Add(1)
		}
		if attempt == l.options.MaxAttempts || !sleep(ctx, l.pause(attempt)) {
			l.stats.Unavailable.Add(1)
			return nil, &UnavailableError{
				Attempts: attempt, Unknown: unknown, Err: err,
				Contended: class != failConnection || ctx.Err() != nil,
			}
		}
		l.stats.Retries.Add(1)
		if class == failDuplicate {
			l.stats.Duplicates.Add(1)
		}
	}
}

// attempt is one transaction: lock and look, decide, write and commit.
func (l *Ledger) attempt(ctx context.Context, r *request) (_ []Outcome, err error) {
	conn, err := l.pool.Acquire(ctx)
	if err != nil {
		return nil, &connectionError{err}
	}
	defer conn.Release()
	defer func() {
		if err != nil && conn.Conn().IsClosed() {
			err = &connectionError{err}
		}
	}()
	state, err := lockAndLook(ctx, conn, r)
	if err != nil {
		return nil, errors.Join(err, rollback(ctx, conn))
	}
	hasher := l.hashers.get()
	defer l.hashers.put(hasher)
	plan := &plan{state: state, hasher: hasher, keyID: l.options.Keys.Active()}
	outcomes, err := plan.decide(r)
	if err != nil {
		return nil, errors.Join(err, rollback(ctx, conn))
	}
	if len(plan.entries) == 0 {
		return outcomes, rollback(ctx, conn)
	}
	if err := write(ctx, conn, plan); err != nil {
		return nil, errors.Join(err, rollback(ctx, conn))
	}
	return outcomes, nil
}

// rollback ends a transaction that wrote nothing. It does nothing where the
// server or the loss of the connection ended it already.
func rollback(ctx context.Context, conn *pgxpool.Conn) error {
	if conn.Conn().IsClosed() || conn.Conn().PgConn().TxStatus() == 'I' {
		return nil
	}
	_, err := conn.Exec(ctx, "rollback")
	return err
}

// sleep waits, and reports false when ctx ended first.
func sleep(ctx context.Context, pause time.Duration) bool {
	timer := time.NewTimer(pause)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-timer.C:
		return true
	}
}
