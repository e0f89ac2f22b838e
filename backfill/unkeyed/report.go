package unkeyed

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"
)

// Quiet is how long nothing must have come from a producer, to be done with it.
const Quiet = 7 * 24 * time.Hour

// Querier is what a report reads through: a pool, a connection or a
// transaction, with select on schema gaming.
type Querier interface {
	Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error)
}

// Report is what came in without an id, by the database's clock.
type Report struct {
	At        time.Time // when it was read; zero where there is no producer
	Producers []Traffic // by brand, then provider
}

// Traffic is what one producer sent to one brand.
type Traffic struct {
	Producer           // Until and the header are empty where it is not on the list
	ListedAt time.Time // when gaming last said so; zero where it is not on the list
	// Total are the movements of all times, Day and Week those of the last 24
	// hours and 7 days. A message that came again counts once.
	Total, Day, Week int64
	LastAt           time.Time // of the last movement; zero where there is none
	// Refused are the movements refused after the deadline, RefusedAt the last.
	Refused   int64
	RefusedAt time.Time
}

// Listed reports whether the producer may send movements without an id.
func (t *Traffic) Listed(at time.Time) bool { return at.Before(t.Until) }

// Open reports whether the producer is not done with: it is on the list, or
// something came, or was refused, within Quiet.
func (t *Traffic) Open(at time.Time) bool {
	since := at.Add(-Quiet)
	return t.Listed(at) || t.LastAt.After(since) || t.RefusedAt.After(since)
}

// Open counts the producers that are not done with.
func (r *Report) Open() int {
	n := 0
	for i := range r.Producers {
		if r.Producers[i].Open(r.At) {
			n++
		}
	}
	return n
}

// The index entries_unkeyed holds all that this needs; the pattern picks what it
// is made of, the expression what was truly keyed here.
const readTraffic = `
with moved as (
  select w.brand_id, e.actor as provider, count(*) as total,
    count(*) filter (where e.recorded_at > now() - interval '24 hours') as day,
    count(*) filter (where e.recorded_at > now() - interval '7 days') as week,
    max(e.recorded_at) as last_at
  from gaming.entries e
  join gaming.wallets w on w.id = e.wallet_id
  where e.external_id like '%:unkeyed:%' and e.external_id ~ '^[^:]+:unkeyed:[0-9a-f]{64}$'
    and e.kind in ('bet', 'win') and e.seq > 0
  group by w.brand_id, e.actor
)
select now(), brand_id, provider, p.until, coalesce(p.message_id_header, ''), p.listed_at,
  coalesce(m.total, 0), coalesce(m.day, 0), coalesce(m.week, 0), m.last_at, coalesce(p.refused, 0), p.refused_at
from moved m
full join gaming.unkeyed_producers p using (brand_id, provider)
order by brand_id, provider`

// Read reads the report. It takes as long as there are such movements.
func Read(ctx context.Context, db Querier) (Report, error) {
	report := Report{Producers: []Traffic{}}
	rows, err := db.Query(ctx, readTraffic)
	if err != nil {
		return report, fmt.Errorf("read the movements without an id: %w", err)
	}
	var t Traffic
	var until, listed, last, refused pgtype.Timestamptz
	_, err = pgx.ForEachRow(rows, []any{
		&report.At, &t.Brand, &t.Provider, &until, &t.MessageIDHeader, &listed,
		&t.Total, &t.Day, &t.Week, &last, &t.Refused, &refused,
	}, func() error {
		t.Until, t.ListedAt, t.LastAt, t.RefusedAt = utc(until), utc(listed), utc(last), utc(refused)
		report.Producers = append(report.Producers, t)
		return nil
	})
	report.At = report.At.UTC()
	if err != nil {
		return report, fmt.Errorf("read the movements without an id: %w", err)
	}
	return report, nil
}

func utc(t pgtype.Timestamptz) time.Time {
	if !t.Valid {
		return time.Time{}
	}
	return t.Time.UTC()
}
