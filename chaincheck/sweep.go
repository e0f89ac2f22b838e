package chaincheck

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"
)

const (
	// sliceTime and slicePages are how much of the entries one statement sweeps.
	sliceTime   = 15 * time.Minute
	slicePages  = 2_048
	maxPerSlice = 1_000
)

// slice is a part of the entries as they lie in the table: by the time at which
// they were recorded, which the BRIN index selects, or by page.
type slice struct {
	condition string
	orphans   bool // look for entries without a wallet as well
}

// sweeps lists what is left to do after the chains: receipts, and entries
// without a wallet where those were not seen on the way.
func (r *run) sweeps(ctx context.Context) []func(context.Context) {
	switch {
	case r.options.Wallet != uuid.Nil && r.options.All:
		return []func(context.Context){r.sweepOf(slice{condition: `true`})}
	case r.options.Wallet != uuid.Nil:
		return []func(context.Context){r.sweepOf(slice{condition: `e.recorded_at >= ` + timeLiteral(r.windowStart)})}
	case !r.options.All:
		return r.windowSweeps()
	case r.options.Brand == "" && r.receiptsMatch(ctx):
		return nil
	}
	return r.tableSweeps()
}

func (r *run) sweepOf(s slice) func(context.Context) {
	return func(ctx context.Context) { r.sweep(ctx, s) }
}

func (r *run) windowSweeps() []func(context.Context) {
	var list []func(context.Context)
	end := r.deps.Clock().Add(time.Hour) // clocks differ
	for from := r.windowStart; from.Before(end); from = from.Add(sliceTime) {
		list = append(list, r.sweepOf(slice{
			condition: fmt.Sprintf(`e.recorded_at >= %s and e.recorded_at < %s`, timeLiteral(from), timeLiteral(from.Add(sliceTime))),
			orphans:   !r.options.limited(),
		}))
	}
	return list
}

func (r *run) tableSweeps() []func(context.Context) {
	var list []func(context.Context)
	for page := int64(0); page < r.pages; page += slicePages {
		list = append(list, r.sweepOf(slice{condition: pageCondition("e", page)}))
		if r.options.Brand == "" {
			list = append(list, func(ctx context.Context) { r.sweepStray(ctx, pageCondition("r", page)) })
		}
	}
	return list
}

func pageCondition(table string, page int64) string {
	return fmt.Sprintf(`%[1]s.ctid >= '(%[2]d,0)' and %[1]s.ctid < '(%[3]d,0)'`, table, page, page+slicePages)
}

// globalKinds are the kinds whose entries have a receipt, as an SQL list.
func globalKinds() string {
	var list []string
	for kind := range effects {
		if kind.Global() {
			list = append(list, "'"+string(kind)+"'")
		}
	}
	slices.Sort(list)
	return strings.Join(list, ", ")
}

// sweepQuery finds the entries of a slice without a wallet, and those whose
// receipt is missing or belongs to another entry. An entry and its receipt are
// written by one transaction, so a snapshot has both or none.
func (r *run) sweepQuery(s slice) string {
	scope := ""
	if r.options.Brand != "" {
		scope = brandCondition(r.options.Brand)
	} else if r.options.Wallet != uuid.Nil {
		scope = ` and e.wallet_id = '` + r.options.Wallet.String() + `'`
	}
	wallets, missing := ``, `false`
	if s.orphans || r.options.Brand != "" {
		wallets = `left join gaming.wallets w on w.id = e.wallet_id`
	}
	if s.orphans {
		missing = `w.id is null`
	}
	return fmt.Sprintf(byLookUp+`copy (
select e.wallet_id, e.seq, e.kind, e.external_id, e.real_after - e.real_before, r.wallet_id, r.seq, %[2]s
from gaming.entries e
%[1]s
left join gaming.receipts r on r.kind = e.kind and r.external_id = e.external_id
where %[3]s%[4]s
  and (%[2]s or e.kind in (%[5]s) and (r.wallet_id is distinct from e.wallet_id or r.seq is distinct from e.seq))
limit %[6]d) to stdout (format binary)`, wallets, missing, s.condition, scope, globalKinds(), maxPerSlice)
}

// sweep checks one slice.
func (r *run) sweep(ctx context.Context, s slice) {
	list, err := r.readUnmatched(ctx, r.sweepQuery(s))
	if err != nil {
		r.tally.addUnread(uuid.Nil, uuid.Max, "receipts", err)
		return
	}
	orphans := map[uuid.UUID]bool{}
	for i := range list {
		if u := &list[i]; !u.orphan {
			r.confirmReceipt(ctx, u)
		} else if !orphans[u.wallet] && r.sweptOrphans.add(u.wallet) {
			orphans[u.wallet] = true
			r.confirmOrphan(ctx, u.wallet)
		}
	}
}

func (r *run) readUnmatched(ctx context.Context, query string) ([]unmatched, error) {
	var list []unmatched
	err := r.reader.retry(ctx, func() (bool, error) {
		list = list[:0]
		return false, r.reader.copyOut(ctx, query, func(fields [][]byte) error {
			if len(fields) != 8 {
				return errCopyFormat
			}
			list = append(list, decodeUnmatched(fields))
			return nil
		})
	})
	return list, err
}
