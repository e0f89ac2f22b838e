package chaincheck

import (
	"context"

	"github.com/google/uuid"
)

// followPast follows the older history: all of it, or in a window what was
// brought in since it began.
func (r *run) followPast(ctx context.Context) {
	defer r.recovered(idRange{uuid.Nil, uuid.Max})
	past, err := FollowPast(ctx, r.deps.Pool, r.deps.Keys, PastOptions{
		Brand: r.options.Brand, Wallet: r.options.Wallet, WrittenSince: r.windowStart,
		retry: func(ctx context.Context, step func() error) error {
			return r.reader.retry(ctx, func() (bool, error) { return false, step() })
		},
	})
	if err != nil {
		r.tally.addUnread(uuid.Nil, uuid.Max, "history", err)
	}
	for i := range past.Findings {
		r.tally.addWallet(past.Findings[i:i+1], 0)
	}
	r.tally.addPast(&past)
}
