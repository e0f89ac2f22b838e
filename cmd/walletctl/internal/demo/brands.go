package demo

import (
	"context"
	"errors"
	"fmt"

	"github.com/walletctl/walletctl/backfill"
	"github.com/walletctl/walletctl/cmd/internal/postgres"
	"github.com/walletctl/walletctl/walletcore"
)

// openBrands takes the demo's brands live; they have nothing to bring in.
func openBrands(ctx context.Context, o Options) error {
	keys, err := walletcore.LoadKeyring(o.LedgerKeysFile)
	if err != nil {
		return err
	}
	pool, err := postgres.Open(ctx, postgres.Options{
		Variable: "OWNER_DATABASE_URL", URL: o.OwnerURL, ApplicationName: "walletctl demo", MaxConns: 2,
	})
	if err != nil {
		return err
	}
	defer pool.Close()
	for _, brand := range []string{"acme", "bravo"} {
		opening, err := backfill.NewOpening(backfill.OpeningOptions{Pool: pool, Keys: keys, Brand: brand, Client: "walletctl demo"})
		if err != nil {
			return err
		}
		_, err = opening.GoLive(ctx, backfill.LiveOptions{Note: "the demo"})
		var live *backfill.StateError
		if err != nil && !errors.As(err, &live) {
			return fmt.Errorf("open brand %s: %w", brand, err)
		}
	}
	return nil
}
