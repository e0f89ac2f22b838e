package wallettest

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/migrations"
)

// Brands are live in a [NewDatabase]. Any other name is of a brand that nobody
// opened; [Database.OpenBrand] takes one live.
var Brands = []string{"acme", "bravo", "north", "south", "other"}

const openBrand = `select gaming.move_brand($1, 'live', 'for a test', null, 'localhost', 'wallettest')`

// OpenBrand takes a brand live, from closed or from importing.
func (d *Database) OpenBrand(t testing.TB, brand string) {
	t.Helper()
	ctx := context.Background()
	owner, err := pgx.Connect(ctx, d.URL(t, Owner))
	require.NoError(t, err)
	defer owner.Close(ctx)
	_, err = owner.Exec(ctx, openBrand, brand)
	require.NoError(t, err)
}

func openBrands(ctx context.Context, t testing.TB, ownerURL string, brands []string) {
	t.Helper()
	owner, err := pgx.Connect(ctx, ownerURL)
	require.NoError(t, err)
	defer owner.Close(ctx)
	for _, brand := range brands {
		_, err = owner.Exec(ctx, openBrand, brand)
		require.NoError(t, err)
	}
}

// templateName is another for each set of migrations and brands.
func templateName(brands []string) string {
	sum := sha256.Sum256([]byte(migrations.Digest() + " " + strings.Join(brands, " ")))
	return "template_" + hex.EncodeToString(sum[:8])
}
