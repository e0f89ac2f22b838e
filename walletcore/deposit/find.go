package deposit

import (
	"context"
)

// Find returns a deposit by its id alone, for the operators' tools: they look
// at every brand. ErrNotFound where there is none.
func (s *Store) Find(ctx context.Context, id string) (Deposit, error) {
	return readDeposit(ctx, s.Pool, selectDepositByID, id)
}
