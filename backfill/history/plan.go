package history

import (
	"context"
	"math"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/walletctl/walletctl/walletcore"
)

// Plan says what a run would do. Nothing is written for it.
type Plan struct {
	Import  Import  `json:"import"`
	Scanned Scanned `json:"scanned"`
	// Closes counts the wallets whose history fits, Done those that are in
	// already, Refused those that would be refused as a whole.
	Closes  int64 `json:"wallets_that_close"`
	Done    int64 `json:"wallets_done"`
	Refused int64 `json:"wallets_refused"`
	// Reasons counts the refused wallets by reason.
	Reasons   map[Reason]int64 `json:"refused_by_reason"`
	Refusals  []Refusal        `json:"refusals"`       // at most 1,000
	Identical int64            `json:"rows_identical"` // would be left out
	Doubled   int64            `json:"rows_duplicate"` // would be written under a marked key
	// Seconds is about how long a run would take on two cores.
	Seconds int64 `json:"estimated_seconds"`
}

// Complete reports whether a run would write everything.
func (p *Plan) Complete() bool { return p.Refused == 0 && p.Scanned.BadRows == 0 }

// writesASecond is what PostgreSQL takes of these rows on two cores with all
// indexes and triggers, for the estimate.
const writesASecond = 15_000

// MakePlan reads everything and writes nothing. Any login that reads the ledger
// can do it.
func MakePlan(ctx context.Context, pool *pgxpool.Pool, o Options) (Plan, error) {
	if err := o.Validate(); err != nil {
		return Plan{}, err
	}
	work, cancel := context.WithCancel(ctx)
	defer cancel()
	p, err := prepare(work, &o, "walletctl-backfill-plan-")
	if err != nil {
		return Plan{}, err
	}
	defer p.close()
	m := &planning{
		options: &o, pool: pool,
		plan: Plan{Import: p.run, Scanned: p.found, Reasons: map[Reason]int64{}, Refusals: []Refusal{}},
	}
	b := &batcher{
		dir: p.dir, size: func() int { return o.BatchRows }, duplicates: o.Mapping.Duplicates,
		emit: func(b *batch) error { defer b.close(); return m.judge(work, b) },
	}
	if err := batches(work, p.sorter, b); err != nil {
		return Plan{}, err
	}
	m.plan.Seconds = int64(math.Ceil(float64(m.writable) / writesASecond))
	return m.plan, nil
}

type planning struct {
	options  *Options
	pool     *pgxpool.Pool
	plan     Plan
	seen     int64
	writable int64
}

// judge decides as a run would, and forgets what it would write.
func (m *planning) judge(ctx context.Context, b *batch) error {
	lowest, err := readAnchors(ctx, m.pool, b.wallets())
	if err != nil {
		return err
	}
	j := &judge{partial: !m.options.Since.IsZero()}
	for _, g := range b.groups {
		a := lowest[g.wallet]
		if done, _ := a.has(g, m.plan.Import.ID); done {
			m.plan.Done++
			continue
		}
		_, fits, err := j.write(g, a, func(*walletcore.Entry) error { return nil })
		if err != nil {
			return err
		}
		m.count(g, fits)
	}
	m.seen += b.rows
	m.options.Progress(Progress{
		Phase: "judge", Rows: m.seen, Total: m.plan.Scanned.Rows, Wallets: m.plan.Closes + m.plan.Done + m.plan.Refused,
	})
	return nil
}

func (m *planning) count(g *group, fits bool) {
	m.plan.Identical += g.identical
	m.plan.Doubled += g.kept
	if fits {
		m.plan.Closes++
		m.writable += g.rows
		return
	}
	m.plan.Refused++
	m.plan.Reasons[g.refused.Reason]++
	if len(m.plan.Refusals) < maxRefusals {
		m.plan.Refusals = append(m.plan.Refusals, *g.refused)
	}
}
