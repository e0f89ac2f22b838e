package command

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/walletctl/walletctl/cmd/internal/config"
	"github.com/walletctl/walletctl/cmd/internal/exit"
	"github.com/walletctl/walletctl/cmd/walletctl/internal/output"
	"github.com/walletctl/walletctl/migrations"
)

func newMigrateCmd(f *factory) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "migrate",
		Short: "Create and upgrade the schemas gaming and casino",
		Long: `Create and upgrade the schemas gaming and casino.

The URLs GAMING_DATABASE_URL and CASINO_DATABASE_URL (or DATABASE_URL for both)
must log in as the schemas' owner, wallet_owner; for "migrate roles" as a
superuser. They must lead to the server itself, not to a pooler. Migrators that
start together wait for each other.`,
	}
	cmd.AddCommand(newMigrateRolesCmd(f), newMigrateUpCmd(f), newMigrateStatusCmd(f), newMigrateCheckCmd(f))
	asGroup(cmd)
	return cmd
}

func newMigrateRolesCmd(f *factory) *cobra.Command {
	schema := newSchemaChoice()
	cmd := &cobra.Command{
		Use:   "roles",
		Short: "Create the database roles of a cluster (as a superuser)",
		Args:  args(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			targets, err := f.targets(schema)
			if err != nil {
				return err
			}
			return migrateRoles(cmd.Context(), f, targets)
		},
	}
	schema.add(cmd)
	return cmd
}

// migrateRoles makes the roles once for each cluster that the URLs lead to.
func migrateRoles(ctx context.Context, f *factory, targets []target) error {
	var done []config.Secret
	for _, t := range targets {
		if slices.Contains(done, t.url) {
			continue
		}
		if err := f.reach(ctx, t); err != nil {
			return err
		}
		if err := migrations.Roles(ctx, t.url.Reveal()); err != nil {
			return err
		}
		done = append(done, t.url)
		fmt.Fprintf(f.streams.Err, "roles are in place on the server of %s\n", t.variable)
	}
	return nil
}

func newMigrateUpCmd(f *factory) *cobra.Command {
	schema, format := newSchemaChoice(), output.NewChoice()
	cmd := &cobra.Command{
		Use:   "up",
		Short: "Apply what is missing, and show what was applied",
		Args:  args(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			targets, err := f.targets(schema)
			if err != nil {
				return err
			}
			applied, failure := migrateUp(cmd.Context(), f, targets)
			if failure != nil && len(applied) == 0 {
				return failure
			}
			if err := output.Write(f.streams.Out, format.Format, migrationResult(applied)); err != nil {
				return errors.Join(failure, err)
			}
			if failure == nil && len(applied) == 0 {
				fmt.Fprintln(f.streams.Err, "nothing to apply")
			}
			return partly(len(applied), failure)
		},
	}
	schema.add(cmd)
	addOutput(cmd, format)
	return cmd
}

func migrateUp(ctx context.Context, f *factory, targets []target) ([]migrations.Status, error) {
	var applied []migrations.Status
	for _, t := range targets {
		if err := f.reach(ctx, t); err != nil {
			return applied, err
		}
		done, err := migrations.Up(ctx, t.url.Reveal(), t.schema)
		applied = append(applied, done...)
		if err != nil {
			return applied, err
		}
	}
	return applied, nil
}

// partly tells a failure after which something was done from one after which
// nothing was.
func partly(done int, err error) error {
	if err == nil || done == 0 {
		return err
	}
	return &statusError{code: exit.Partly, err: err}
}

func newMigrateStatusCmd(f *factory) *cobra.Command {
	schema, format := newSchemaChoice(), output.NewChoice()
	cmd := &cobra.Command{
		Use:   "status",
		Short: "List every migration and whether the database has it",
		Args:  args(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			targets, err := f.targets(schema)
			if err != nil {
				return err
			}
			var all []migrations.Status
			for _, t := range targets {
				if err := f.reach(cmd.Context(), t); err != nil {
					return err
				}
				list, err := migrations.List(cmd.Context(), t.url.Reveal(), t.schema)
				if err != nil {
					return err
				}
				all = append(all, list...)
			}
			return output.Write(f.streams.Out, format.Format, migrationResult(all))
		},
	}
	schema.add(cmd)
	addOutput(cmd, format)
	return cmd
}

type migrationDocument struct {
	SchemaVersion int             `json:"schema_version"`
	Migrations    []migrationItem `json:"migrations"`
}

type migrationItem struct {
	Schema  migrations.Schema `json:"schema"`
	Version int64             `json:"version"`
	Name    string            `json:"name"`
	Applied bool              `json:"applied"`
}

func migrationResult(list []migrations.Status) output.Result {
	document := migrationDocument{SchemaVersion: 1, Migrations: []migrationItem{}}
	table := output.Table{Columns: output.Columns("schema", ">version", "applied", "name")}
	for _, m := range list {
		document.Migrations = append(document.Migrations, migrationItem(m))
		table.Add(string(m.Schema), strconv.FormatInt(m.Version, 10), yes(m.Applied), m.Name)
	}
	return output.Result{JSON: document, CSV: table}
}

func yes(b bool) string {
	if b {
		return "yes"
	}
	return "no"
}
