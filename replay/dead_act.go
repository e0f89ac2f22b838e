package replay

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/walletctl/walletctl/walletcore"
	"github.com/walletctl/walletctl/walletcore/deadletter"
)

// MaxDeadNote is the longest note on a dead letter, in bytes.
const MaxDeadNote = 2000

// DeadResult is what came of an act on a dead letter.
type DeadResult struct {
	Ref     Ref              `json:"ref"`
	Outcome Outcome          `json:"outcome"` // Done, Failed or TimedOut
	State   deadletter.State `json:"state"`
	Error   string           `json:"error"` // why nothing came of it
}

// OK reports whether what was asked for is done.
func (r *DeadResult) OK() bool { return r.Outcome == Done }

// RequeueDead has a dead letter sent to its queue again, and waits until ctx
// ends for what comes of that. Sending again is safe: whoever handles it does
// so once. The error is ErrNotFound, ErrForbidden, a *DeadError, or says that
// the database cannot be asked.
func (d *Desk) RequeueDead(ctx context.Context, ref Ref, note string) (DeadResult, error) {
	if err := d.actDead(ctx, "requeue", ref, note); err != nil {
		return DeadResult{}, err
	}
	results, err := d.waitDead(ctx, ref.Schema, []int64{ref.Number})
	if err != nil {
		return DeadResult{}, err
	}
	return results[ref.Number], nil
}

// DiscardDead says that nothing is to be done about a dead letter. It stays.
// Errors are those of RequeueDead.
func (d *Desk) DiscardDead(ctx context.Context, ref Ref, note string) (DeadResult, error) {
	if err := d.actDead(ctx, "discard", ref, note); err != nil {
		return DeadResult{}, err
	}
	return DeadResult{Ref: ref, Outcome: Done, State: deadletter.Discarded}, nil
}

// CheckDeadNote refuses a note that says nothing. The error is a
// *walletcore.FieldError.
func CheckDeadNote(note string) error {
	if strings.TrimSpace(note) == "" {
		return &walletcore.FieldError{Field: "note", Reason: "must say why"}
	}
	if len(note) > MaxDeadNote {
		return &walletcore.FieldError{Field: "note", Reason: fmt.Sprintf("is longer than %d bytes", MaxDeadNote)}
	}
	return nil
}

func (d *Desk) actDead(ctx context.Context, act string, ref Ref, note string) error {
	pool := d.pool(ref.Schema)
	if pool == nil {
		return ErrNotFound
	}
	if err := CheckDeadNote(note); err != nil {
		return err
	}
	_, err := pool.Exec(ctx, fmt.Sprintf(`select %s.%s_dead($1, $2)`, ref.Schema, act), ref.Number, note)
	return deadError(act+" dead letter", ref, err)
}

const selectSent = `
select id, state::text, coalesce(error, '')
from %s.dead_letters
where id = any ($1) and state <> 'requeue_asked'`

// waitDead returns what came of letters whose requeue was asked for. Those that
// still wait when ctx ends have timed out.
func (d *Desk) waitDead(ctx context.Context, schema string, numbers []int64) (map[int64]DeadResult, error) {
	ticker := time.NewTicker(pollEvery)
	defer ticker.Stop()
	results := map[int64]DeadResult{}
	for {
		err := d.lookDead(ctx, schema, numbers, results)
		if err != nil && ctx.Err() == nil {
			return nil, fmt.Errorf("look after dead letters: %w", err)
		}
		if len(results) == len(numbers) {
			return results, nil
		}
		select {
		case <-ctx.Done():
			for _, n := range numbers {
				if _, known := results[n]; !known {
					results[n] = DeadResult{Ref: Ref{schema, n}, Outcome: TimedOut, State: deadletter.RequeueAsked, Error: stillWaits}
				}
			}
			return results, nil
		case <-ticker.C:
		}
	}
}

const stillWaits = "casino has not sent it yet; it will as soon as it and the broker are up"

func (d *Desk) lookDead(ctx context.Context, schema string, numbers []int64, results map[int64]DeadResult) error {
	rows, err := d.pool(schema).Query(ctx, fmt.Sprintf(selectSent, schema), numbers)
	if err != nil {
		return err
	}
	r := DeadResult{Ref: Ref{Schema: schema}}
	_, err = pgx.ForEachRow(rows, []any{&r.Ref.Number, &r.State, &r.Error}, func() error {
		r.Outcome = Done
		if r.State == deadletter.Kept {
			r.Outcome = Failed
		}
		results[r.Ref.Number] = r
		return nil
	})
	return err
}
