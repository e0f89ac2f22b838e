package withdrawal

import (
	"context"

	"github.com/walletctl/walletctl/walletcore/pgtx"
)

// Filter selects withdrawals, by page.
type Filter = pgtx.Page[Status]

// List returns one page, newest first. The next page is After the last id.
func (s *Store) List(ctx context.Context, f Filter) ([]Withdrawal, error) {
	return pgtx.List(ctx, s.Pool, f, "withdrawal", selectWithdrawal, scan)
}
