package migrations

import (
	"context"
	"database/sql"
	"fmt"

	"github.com/pressly/goose/v3"
	"github.com/riverqueue/river/riverdriver/riverdatabasesql"
	"github.com/riverqueue/river/rivermigrate"
)

const (
	// riverMigrationVersion is the place of River's own tables among casino's
	// migrations: they come first, since casino's grants name them.
	riverMigrationVersion = 1
	// riverVersion is the version of River's schema that this program needs. A
	// newer River that needs more takes another migration.
	riverVersion = 8
)

// riverMigration creates the job queue's tables in schema casino, so that a
// job commits with the deposit that it belongs to.
func riverMigration() *goose.Migration {
	up := func(ctx context.Context, tx *sql.Tx) error {
		migrator, err := rivermigrate.New(riverdatabasesql.New(nil), &rivermigrate.Config{Schema: string(Casino)})
		if err != nil {
			return err
		}
		_, err = migrator.MigrateTx(ctx, tx, rivermigrate.DirectionUp, &rivermigrate.MigrateOpts{TargetVersion: riverVersion})
		if err != nil {
			return fmt.Errorf("create the job queue's tables: %w", err)
		}
		return nil
	}
	return goose.NewGoMigration(riverMigrationVersion, &goose.GoFunc{RunTx: up}, nil)
}
