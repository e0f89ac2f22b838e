package deposit

import (
	"context"

	"github.com/walletctl/walletctl/walletcore/pgtx"
)

// Filter selects deposits, by page.
type Filter = pgtx.Page[Status]

// List returns one page, newest first. The next page is After the last id.
func (s *Store) List(ctx context.Context, f Filter) ([]Deposit, error) {
	return pgtx.List(ctx, s.Pool, f, "deposit", selectDeposit, scanDeposit)
}
