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
//
// River's versions run each in a transaction of its own: one adds a value to
// an enum and the next uses it, which PostgreSQL refuses within a single one.
// What was done before an interruption is in river_migration and is not done
// again.
func riverMigration() *goose.Migration {
	up := func(ctx context.Context, db *sql.DB) error {
		migrator, err := rivermigrate.New(riverdatabasesql.New(db), &rivermigrate.Config{Schema: string(Casino)})
		if err != nil {
			return err
		}
		_, err = migrator.Migrate(ctx, rivermigrate.DirectionUp, &rivermigrate.MigrateOpts{TargetVersion: riverVersion})
		if err != nil {
			return fmt.Errorf("create the job queue's tables: %w", err)
		}
		return nil
	}
	return goose.NewGoMigration(riverMigrationVersion, &goose.GoFunc{RunDB: up}, nil)
}
