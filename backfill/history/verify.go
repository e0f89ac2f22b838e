package history

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/walletctl/walletctl/chaincheck"
	"github.com/walletctl/walletctl/walletcore"
)

// Report is the proof of a brand's history, for an auditor to keep.
type Report struct {
	Brand   string          `json:"brand"`
	At      time.Time       `json:"at"`
	Imports []ImportProof   `json:"imports"`
	Wallets int64           `json:"wallets"` // of the brand
	Whole   int64           `json:"wallets_whole"`
	Partly  int64           `json:"wallets_partly"` // from some time on
	Without int64           `json:"wallets_without"`
	Entries int64           `json:"entries"`
	First   *time.Time      `json:"first_at"`
	Last    *time.Time      `json:"last_at"`
	Totals  []Total         `json:"totals"` // of what is in the ledger
	Chain   chaincheck.Past `json:"chain"`
}

// ImportProof compares an import with its source.
type ImportProof struct {
	Import
	Mapping   string    `json:"mapping"`
	StartedAt time.Time `json:"started_at"`
	StartedBy string    `json:"started_by"`
	Ended     bool      `json:"ended"`
	// Source are the rows and sums of the source, Ledger what of it is in the
	// ledger. They may differ by LeftOut and by the wallets that were refused.
	Source []Total `json:"source"`
	Ledger []Total `json:"ledger"`
	// LeftOut are rows that were there before in every field.
	LeftOut []Total `json:"left_out"`
	Refused int64   `json:"wallets_refused"`
	Agrees  bool    `json:"agrees"`
}

// Proved reports whether the history is closed, joined to the live chains, and
// all that its sources held.
func (r *Report) Proved() bool {
	for i := range r.Imports {
		if p := &r.Imports[i]; !p.Ended || !p.Agrees || p.Refused > 0 {
			return false
		}
	}
	return len(r.Chain.Findings) == 0 && r.Chain.Unverified == 0
}

// Verify reads the history of a brand, follows its chain and its join to the
// live chain, and compares it with the sources. It writes nothing; any login
// that reads the ledger can do it, on a replica as well. keys may be nil: hashes
// are then not verified, and the report says so.
func Verify(ctx context.Context, pool *pgxpool.Pool, keys *walletcore.Keyring, brand string) (Report, error) {
	report := Report{Brand: brand, At: time.Now().UTC()}
	tx, err := pool.BeginTx(ctx, pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly})
	if err != nil {
		return report, err
	}
	defer func() { _ = tx.Rollback(context.WithoutCancel(ctx)) }()
	if err := report.count(ctx, tx); err != nil {
		return report, fmt.Errorf("count the wallets: %w", err)
	}
	if err := report.imports(ctx, tx); err != nil {
		return report, fmt.Errorf("compare with the sources: %w", err)
	}
	report.Chain, err = chaincheck.FollowPast(ctx, tx, keys, chaincheck.PastOptions{Brand: brand})
	if err != nil {
		return report, fmt.Errorf("follow the chain: %w", err)
	}
	return report, nil
}

const countWallets = `
select count(*), count(*) filter (where p.whole), count(*) filter (where p.since is not null and not p.whole),
  count(*) filter (where p.since is null), coalesce(sum(p.rows), 0)::bigint, min(p.since), max(p.until)
from gaming.wallets w
left join lateral (
  select bool_or(h.whole) as whole, min(h.since) as since, max(h.until) as until, sum(h.rows) as rows
  from gaming.history_parts h
  where h.wallet_id = w.id) p on true
where w.brand_id = $1`

func (r *Report) count(ctx context.Context, tx pgx.Tx) error {
	row := tx.QueryRow(ctx, countWallets, r.Brand)
	return row.Scan(&r.Wallets, &r.Whole, &r.Partly, &r.Without, &r.Entries, &r.First, &r.Last)
}

const listImports = `
select i.id, i.digest, i.source, i.since, i.until, i.totals::text, coalesce(e.left_out::text, '[]'), i.started_at, i.started_by,
  e.import_id is not null, (
    select count(*)
    from gaming.history_refusals r
    where r.import_id = i.id and not exists (
      select from gaming.history_parts h where h.import_id = i.id and h.wallet_id = r.wallet_id))
from gaming.history_imports i
left join gaming.history_ends e on e.import_id = i.id
where i.brand_id = $1
order by i.started_at`

// sumImports adds up what is in the ledger, by import and, with none, in all.
const sumImports = `
select h.import_id, e.kind::text, w.currency, count(*),
  sum(e.real_after - e.real_before)::numeric(38,8)::text, sum(e.bonus_after - e.bonus_before)::numeric(38,8)::text
from gaming.history_parts h
join gaming.wallets w on w.id = h.wallet_id
join gaming.entries e on e.wallet_id = h.wallet_id and e.seq between h.first_seq and h.last_seq
where w.brand_id = $1
group by grouping sets ((h.import_id, e.kind::text, w.currency), (e.kind::text, w.currency))
order by 2, 3`

func (r *Report) imports(ctx context.Context, tx pgx.Tx) error {
	proofs, err := readImports(ctx, tx, r.Brand)
	if err != nil {
		return err
	}
	ledger, err := readSums(ctx, tx, r.Brand)
	if err != nil {
		return err
	}
	for i := range proofs {
		p := &proofs[i]
		p.Ledger = ledger[p.ID]
		p.Agrees = slices.Equal(p.Source, plus(p.Ledger, p.LeftOut))
	}
	r.Imports, r.Totals = proofs, ledger[uuid.Nil]
	return nil
}

func readSums(ctx context.Context, tx pgx.Tx, brand string) (map[uuid.UUID][]Total, error) {
	rows, err := tx.Query(ctx, sumImports, brand)
	if err != nil {
		return nil, err
	}
	sums := map[uuid.UUID][]Total{}
	var id uuid.NullUUID
	var t Total
	_, err = pgx.ForEachRow(rows, []any{&id, &t.Kind, &t.Currency, &t.Count, &t.Real, &t.Bonus}, func() error {
		sums[id.UUID] = append(sums[id.UUID], t)
		return nil
	})
	return sums, err
}

func readImports(ctx context.Context, tx pgx.Tx, brand string) ([]ImportProof, error) {
	rows, err := tx.Query(ctx, listImports, brand)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, func(row pgx.CollectableRow) (p ImportProof, err error) {
		var digest []byte
		var since, until pgtype.Timestamptz
		var kept, left string
		if err := row.Scan(&p.ID, &digest, &p.Mapping, &since, &until, &kept, &left, &p.StartedAt, &p.StartedBy, &p.Ended, &p.Refused); err != nil {
			return p, err
		}
		var found struct{ Totals []Total }
		if err := errors.Join(json.Unmarshal([]byte(kept), &found), json.Unmarshal([]byte(left), &p.LeftOut)); err != nil {
			return p, err
		}
		p.Brand, p.Since, p.Until = brand, since.Time.UTC(), until.Time.UTC()
		copy(p.Digest[:], digest)
		p.Source = found.Totals
		return p, nil
	})
}
