package ledger

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/walletctl/walletctl/walletcore"
)

// Outcome is what became of one movement.
type Outcome struct {
	Posted walletcore.Posted
	// Undone says that what undoes a replayed movement stands in the ledger too.
	Undone bool
	// Err is nil, or says why the movement was not posted: a
	// *walletcore.FieldError, a *walletcore.ConflictError, a
	// *walletcore.RefusedError, a *walletcore.NotLiveError, or ErrNotPosted.
	Err error
}

// Result is what became of a request.
type Result struct {
	// Outcomes has one for each movement. Where one was refused none of the
	// new ones is posted: the others have ErrNotPosted. Replayed ones stand.
	Outcomes []Outcome
	// Balance is that of the first movement's wallet, after the request.
	Balance walletcore.Parts
}

// Err returns the first refusal, nil where the request stands in the ledger.
func (r *Result) Err() error {
	for i := range r.Outcomes {
		if err := r.Outcomes[i].Err; err != nil && !errors.Is(err, ErrNotPosted) {
			return err
		}
	}
	return nil
}

// Post posts requests in one transaction and returns a result for each, in
// order. Each request is posted whole or not at all, and has its own result:
// one that is refused, in conflict or replayed does not hurt its neighbours.
// Movements of one wallet are applied in the order given.
//
// The error is about the batch as a whole: nothing in it was posted, or, where
// it is an *[UnavailableError] that says so, the outcome is unknown. Either
// way the same batch may be posted again.
func (l *Ledger) Post(ctx context.Context, requests []Request) ([]Result, error) {
	count := 0
	results := make([]Result, len(requests))
	var valid []Request
	var places []int
	for i, request := range requests {
		count += len(request)
		if err := request.Validate(); err != nil {
			results[i].Outcomes = refuseAll(request, err)
			continue
		}
		valid, places = append(valid, request), append(places, i)
	}
	if count > MaxBatch {
		return nil, fmt.Errorf("post %d movements: at most %d are one batch", count, MaxBatch)
	}
	if len(valid) > 0 {
		posted, err := l.postValid(ctx, newBatch(valid))
		if err != nil {
			return nil, err
		}
		for i, place := range places {
			results[place] = posted[i]
		}
	}
	refused := false
	for i := range results {
		refused = l.stats.count(results[i].Outcomes) || refused
	}
	if refused {
		l.openCases(ctx, requests, results)
	}
	return results, nil
}

// refuseAll names the movement that is malformed.
func refuseAll(request Request, err error) []Outcome {
	if len(request) == 0 {
		return []Outcome{{Err: err}}
	}
	outcomes := make([]Outcome, len(request))
	for i := range request {
		outcomes[i].Err = ErrNotPosted
		if own := request[i].Validate(); own != nil {
			outcomes[i].Err = own
		}
	}
	return outcomes
}

// postValid tries the transaction until it went through, was refused for good,
// or the attempts ran out.
func (l *Ledger) postValid(ctx context.Context, b *batch) ([]Result, error) {
	unknown := false
	for attempt := 1; ; attempt++ {
		results, err := l.attempt(ctx, b)
		var missing *missingWallets
		if errors.As(err, &missing) {
			if err = l.open(ctx, b, missing.wallets); err == nil {
				results, err = l.attempt(ctx, b)
			}
		}
		if err == nil {
			return results, nil
		}
		class := classify(err)
		if class == failFinal {
			return nil, fmt.Errorf("post %d requests: %w", len(b.requests), err)
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
func (l *Ledger) attempt(ctx context.Context, b *batch) (_ []Result, err error) {
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
	state, err := lockAndLook(ctx, conn, b)
	if err != nil {
		return nil, errors.Join(err, rollback(ctx, conn))
	}
	hasher := l.hashers.get()
	defer l.hashers.put(hasher)
	plan := &plan{state: state, hasher: hasher, keyID: l.options.Keys.Active()}
	results, err := plan.decide(b)
	if err != nil {
		return nil, errors.Join(err, rollback(ctx, conn))
	}
	if len(plan.entries) == 0 {
		return results, rollback(ctx, conn)
	}
	if err := write(ctx, conn, plan); err != nil {
		return nil, errors.Join(err, rollback(ctx, conn))
	}
	return results, nil
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
