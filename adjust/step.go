package adjust

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/walletctl/walletctl/walletcore/pgtx"
)

// Step is something that somebody did about an adjustment.
type Step struct {
	At      time.Time `json:"at"`
	Actor   string    `json:"actor"` // the database's login
	Step    string    `json:"step"`  // requested, approved, rejected, cancelled or refused
	Alone   bool      `json:"alone"` // an approval within the approver's own limits
	Note    string    `json:"note,omitempty"`
	Host    string    `json:"host,omitempty"`    // as the client told it
	Client  string    `json:"client,omitempty"`  // the program and its version, as it told it
	Address string    `json:"address,omitempty"` // as the server saw it: the client's, or a pooler's
}

const selectSteps = `
select adjustment_id, at, actor, step::text, alone, coalesce(note, ''), coalesce(host, ''), coalesce(client, ''),
  coalesce(host(address), '')
from gaming.adjustment_steps
where adjustment_id = any($1)
order by adjustment_id, at, id`

// Steps returns everything that was done about an adjustment, oldest first.
func (d *Desk) Steps(ctx context.Context, id string) ([]Step, error) {
	steps, err := readSteps(ctx, d.Pool, []string{id})
	return steps[id], err
}

// readSteps returns the steps by adjustment.
func readSteps(ctx context.Context, db pgtx.Querier, ids []string) (map[string][]Step, error) {
	rows, err := db.Query(ctx, selectSteps, ids)
	if err != nil {
		return nil, fmt.Errorf("read steps: %w", err)
	}
	steps := map[string][]Step{}
	var id string
	var s Step
	_, err = pgx.ForEachRow(rows, []any{&id, &s.At, &s.Actor, &s.Step, &s.Alone, &s.Note, &s.Host, &s.Client, &s.Address},
		func() error {
			s.At = s.At.UTC()
			steps[id] = append(steps[id], s)
			return nil
		})
	if err != nil {
		return nil, fmt.Errorf("read steps: %w", err)
	}
	return steps, nil
}
