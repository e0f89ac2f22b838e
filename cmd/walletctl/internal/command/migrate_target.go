package command

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/walletctl/walletctl/cmd/internal/config"
	"github.com/walletctl/walletctl/migrations"
)

// schemaChoice is the flag --schema.
type schemaChoice struct {
	value string
}

func newSchemaChoice() *schemaChoice { return &schemaChoice{value: "all"} }

// String implements pflag.Value.
func (c *schemaChoice) String() string { return c.value }

// Type implements pflag.Value.
func (c *schemaChoice) Type() string { return "schema" }

// Set implements pflag.Value.
func (c *schemaChoice) Set(value string) error {
	switch value {
	case "all", string(migrations.Gaming), string(migrations.Casino):
		c.value = value
		return nil
	}
	return fmt.Errorf("must be gaming, casino or all")
}

func (c *schemaChoice) add(cmd *cobra.Command) {
	cmd.Flags().Var(c, "schema", "gaming, casino or all")
	complete(cmd, "schema", "all", string(migrations.Gaming), string(migrations.Casino))
}

// target is one schema and the URL of the database that holds it.
type target struct {
	schema   migrations.Schema
	variable string
	url      config.Secret
	settings settings
}

// targets returns the schemas chosen with their URLs, all of which must be
// set before anything is done.
func (f *factory) targets(choice *schemaChoice) ([]target, error) {
	s, err := f.settings()
	if err != nil {
		return nil, err
	}
	var targets []target
	for _, t := range []target{
		{migrations.Gaming, "GAMING_DATABASE_URL", s.GamingURL, s},
		{migrations.Casino, "CASINO_DATABASE_URL", s.CasinoURL, s},
	} {
		if choice.value != "all" && choice.value != string(t.schema) {
			continue
		}
		if t.url == "" {
			return nil, &config.Error{
				Variable: t.variable, Problem: "is not set",
				Try: "set " + t.variable + ", or DATABASE_URL for both schemas, or choose one with --schema",
			}
		}
		targets = append(targets, t)
	}
	return targets, nil
}

// reach proves that the database can be used, with errors that say what to do,
// and waits for it where DATABASE_WAIT says so.
func (f *factory) reach(ctx context.Context, t target) error {
	pool, err := f.open(ctx, t.settings, t.variable, t.url, 1)
	if err != nil {
		return err
	}
	pool.Close()
	return nil
}
