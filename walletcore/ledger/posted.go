package ledger

import (
	"context"
	"fmt"

	"github.com/google/uuid"

	"github.com/walletctl/walletctl/walletcore"
)

const findPosted = `
select exists (
  select from gaming.entries
  where wallet_id = $1 and kind = $2::gaming.movement_kind and external_id = $3)`

// Posted reports whether an entry of a kind stands in a wallet under an id, also
// one that moved nothing. It takes no lock: what is under way is not seen.
func (r *Reader) Posted(ctx context.Context, wallet uuid.UUID, kind walletcore.Kind, externalID string) (bool, error) {
	var there bool
	if err := r.pool.QueryRow(ctx, findPosted, wallet, string(kind), externalID).Scan(&there); err != nil {
		return false, fmt.Errorf("look up %s %s: %w", kind, externalID, err)
	}
	return there, nil
}
