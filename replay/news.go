package replay

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"
)

// news is what happened since a replay was asked for. The job's state and the
// history are of one snapshot: an attempt writes its history before the queue
// gives its job up.
type news struct {
	job    string // its state; empty where it is gone
	kind   string // the last line of its history that tells of an end; or empty
	class  string
	detail string
}

// givenUp reports whether the queue will not work the job again.
func (n *news) givenUp() bool { return n.job == "discarded" || n.job == "cancelled" }

// failed reports whether an attempt failed.
func (n *news) failed() bool {
	switch n.kind {
	case "credit_failed", "debit_failed", "payout_failed", "reversal_failed", "effect_failed":
		return true
	}
	return false
}

// selectNews takes the ids, the last lines before and the jobs of many.
const selectNews = `
select s.place, coalesce(j.state::text, ''), coalesce(e.kind, ''), coalesce(e.error_class, ''), coalesce(e.detail, '')
from unnest($1::text[], $2::bigint[], $3::bigint[]) with ordinality s (id, after, job, place)
left join casino.river_job j on j.id = s.job
left join lateral (
  select e.kind::text, e.error_class, e.detail
  from %s
  order by e.id desc
  limit 1) e on true`

// What tells of the end of an attempt, in the history of each type. A rejection
// is no end: the money is still to be given back.
var (
	selectDepositNews = fmt.Sprintf(selectNews, `casino.deposit_events e
  where e.deposit_id = s.id and e.id > s.after and e.kind in ('credited', 'credit_failed')`)
	selectWithdrawalNews = fmt.Sprintf(selectNews, `casino.withdrawal_events e
  where e.withdrawal_id = s.id and e.id > s.after
    and e.kind in ('debited', 'payout_requested', 'paid', 'reversed', 'debit_failed', 'payout_failed', 'reversal_failed')`)
	selectEffectNews = fmt.Sprintf(selectNews, `casino.deposit_events e
  where e.deposit_id = split_part(s.id, '/', 1) and e.id > s.after and e.kind in ('effect_published', 'effect_failed')
    and starts_with(e.detail || ': ', substr(s.id, strpos(s.id, '/') + 1) || ': ')`)
)

func newsQuery(s Subject) string {
	switch s.Type {
	case Deposit:
		return selectDepositNews
	case Withdrawal:
		return selectWithdrawalNews
	}
	return selectEffectNews
}

// news reads what happened to replays, in their order, with one query a type.
func (d *Desk) news(ctx context.Context, sent []Sent) ([]news, error) {
	all := make([]news, len(sent))
	places := map[string][]int{}
	for i := range sent {
		query := newsQuery(sent[i].Subject)
		places[query] = append(places[query], i)
	}
	for query, at := range places {
		if err := d.newsOf(ctx, query, sent, at, all); err != nil {
			return nil, fmt.Errorf("look after what was sent: %w", err)
		}
	}
	return all, nil
}

func (d *Desk) newsOf(ctx context.Context, query string, sent []Sent, at []int, all []news) error {
	ids, after, jobs := make([]string, len(at)), make([]int64, len(at)), make([]int64, len(at))
	for i, place := range at {
		ids[i], after[i], jobs[i] = sent[place].Subject.ID, sent[place].after, sent[place].JobID
	}
	rows, err := d.Casino.Query(ctx, query, ids, after, jobs)
	if err != nil {
		return err
	}
	var place int64
	var n news
	_, err = pgx.ForEachRow(rows, []any{&place, &n.job, &n.kind, &n.class, &n.detail}, func() error {
		all[at[place-1]] = n
		return nil
	})
	return err
}
