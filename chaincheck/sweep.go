package chaincheck

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/walletctl/walletctl/walletcore"
)

// maxPerSlice bounds what one statement reports: where everything is broken,
// the first thousand of a slice will do.
const maxPerSlice = 1_000

// sweeps lists what is left to look at after the chains: receipts, and entries
// without a wallet where those were not seen on the way.
func (r *run) sweeps(ctx context.Context) []slice {
	switch {
	case r.options.Wallet != uuid.Nil:
		return []slice{{table: "e", by: byWallet, wallet: r.options.Wallet}}
	case !r.options.All:
		return r.windowSweeps()
	case r.options.Brand == "" && r.receiptsMatch(ctx):
		return nil
	}
	return r.tableSweeps()
}

func (r *run) windowSweeps() []slice {
	var list []slice
	end := r.now().Add(time.Hour) // clocks differ
	for from := r.windowStart; from.Before(end); from = from.Add(sliceTime) {
		s := timeSlice(from, from.Add(sliceTime))
		s.orphans = !r.options.limited()
		list = append(list, s)
	}
	return list
}

func (r *run) tableSweeps() []slice {
	var list []slice
	for page := int64(0); page < r.pages; page += slicePages {
		list = append(list, pageSlice("e", page))
		if r.options.Brand == "" {
			list = append(list, pageSlice("r", page))
		}
	}
	return list
}

// globalKinds are the kinds whose entries have a receipt, as an SQL list.
func globalKinds() string {
	var list []string
	for _, kind := range walletcore.Kinds {
		if kind.Global() {
			list = append(list, "'"+string(kind)+"'")
		}
	}
	slices.Sort(list)
	return strings.Join(list, ", ")
}

// sweep checks one slice. Where recovery keeps cancelling the statement, its
// halves are tried, down to what takes no time.
func (r *run) sweep(ctx context.Context, s slice) {
	a, b, more := s.halves()
	attempts := r.options.Attempts
	if more {
		attempts = min(attempts, 2)
	}
	err := r.sweepOnce(ctx, s, attempts)
	switch {
	case err == nil:
	case more && ctx.Err() == nil && !r.reader.lost.Load():
		r.sweep(ctx, a)
		r.sweep(ctx, b)
	default:
		r.tally.addUnread(uuid.Nil, uuid.Max, "receipts", err)
	}
}

// sweepOnce returns an error where the slice could not be read; nothing was
// counted of it then.
func (r *run) sweepOnce(ctx context.Context, s slice, attempts int) error {
	if s.table == "r" {
		return r.sweepStray(ctx, s.condition(), attempts)
	}
	list, err := r.readUnmatched(ctx, s, attempts)
	if err != nil {
		return err
	}
	for i := range list {
		if u := &list[i]; !u.orphan {
			r.confirmReceipt(ctx, u)
		} else if r.sweptOrphans.add(u.wallet) {
			r.confirmOrphan(ctx, u.wallet)
		}
	}
	return nil
}
