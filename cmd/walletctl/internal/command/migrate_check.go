package command

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"github.com/walletctl/walletctl/cmd/internal/exit"
	"github.com/walletctl/walletctl/cmd/walletctl/internal/output"
	"github.com/walletctl/walletctl/migrations"
)

func newMigrateCheckCmd(f *factory) *cobra.Command {
	schema, format := newSchemaChoice(), output.NewChoice()
	cmd := &cobra.Command{
		Use:   "check",
		Short: "Say whether services may serve on the schemas",
		Long: `Say whether services may serve on the schemas: every migration is applied, every
unique index that the money depends on is there, unique and valid, and every
trigger is enabled. Services look at the same and refuse to start.

Any login that reads the schemas will do. Exit code 1 where something is wrong.`,
		Args: args(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			targets, err := f.targets(schema)
			if err != nil {
				return err
			}
			var verdicts []verdict
			for _, t := range targets {
				v, err := f.checkSchema(cmd.Context(), t)
				if err != nil {
					return err
				}
				verdicts = append(verdicts, v)
			}
			if err := output.Write(f.streams.Out, format.Format, checkResult(verdicts)); err != nil {
				return err
			}
			return unfit(verdicts)
		},
	}
	schema.add(cmd)
	addOutput(cmd, format)
	return cmd
}

// verdict is what the check of one schema found; err is a
// *migrations.SchemaError or nil.
type verdict struct {
	schema migrations.Schema
	err    *migrations.SchemaError
}

func (f *factory) checkSchema(ctx context.Context, t target) (verdict, error) {
	pool, err := f.open(ctx, t.settings, t.variable, t.url, 1)
	if err != nil {
		return verdict{}, err
	}
	defer pool.Close()
	v := verdict{schema: t.schema}
	if err := migrations.Check(ctx, pool, t.schema); !errors.As(err, &v.err) {
		return v, err
	}
	return v, nil
}

// unfit returns the first reason why services would refuse to start.
func unfit(verdicts []verdict) error {
	for _, v := range verdicts {
		if v.err != nil {
			return &statusError{code: exit.Failed, err: v.err}
		}
	}
	return nil
}

type checkDocument struct {
	SchemaVersion int         `json:"schema_version"`
	Schemas       []checkItem `json:"schemas"`
}

type checkItem struct {
	Schema   migrations.Schema `json:"schema"`
	OK       bool              `json:"ok"`
	Problems []string          `json:"problems"`
}

func checkResult(verdicts []verdict) output.Result {
	document := checkDocument{SchemaVersion: 1}
	table := output.Table{Columns: output.Columns("schema", "ok", "problem")}
	for _, v := range verdicts {
		item := checkItem{Schema: v.schema, OK: v.err == nil, Problems: []string{}}
		if v.err == nil {
			table.Add(string(v.schema), yes(true), "")
		} else {
			item.Problems = v.err.Problems
		}
		for _, problem := range item.Problems {
			table.Add(string(v.schema), yes(false), problem)
		}
		document.Schemas = append(document.Schemas, item)
	}
	return output.Result{JSON: document, CSV: table}
}
