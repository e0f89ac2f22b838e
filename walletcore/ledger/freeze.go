package ledger

import (
	"context"
	"errors"
	"fmt"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
)

// Freezer freezes wallets and brands, and thaws them, as a member of oncall or
// supervisor. The database records the login that asked, and why.
type Freezer struct {
	pool *pgxpool.Pool
}

// NewFreezer returns a freezer over pool.
func NewFreezer(pool *pgxpool.Pool) *Freezer { return &Freezer{pool: pool} }

// Wallet freezes or thaws one wallet. The error is ErrNoWallet where there is
// none.
func (f *Freezer) Wallet(ctx context.Context, id uuid.UUID, frozen bool, reason string) error {
	_, err := f.pool.Exec(ctx, `select gaming.freeze_wallet($1, $2, $3)`, id, frozen, reason)
	return freezeError("wallet "+id.String(), err)
}

// Brand freezes or thaws every wallet of a brand, those that are not born yet
// included.
func (f *Freezer) Brand(ctx context.Context, brand string, frozen bool, reason string) error {
	_, err := f.pool.Exec(ctx, `select gaming.freeze_brand($1, $2, $3)`, brand, frozen, reason)
	return freezeError("brand "+brand, err)
}

// ErrForbidden says that the login may not freeze.
var ErrForbidden = errors.New("this login may not freeze")

func freezeError(what string, err error) error {
	var pgErr *pgconn.PgError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &pgErr) && pgErr.Code == "P0002":
		return ErrNoWallet
	case errors.As(err, &pgErr) && pgErr.Code == "42501":
		return ErrForbidden
	}
	return fmt.Errorf("freeze %s: %w", what, err)
}
