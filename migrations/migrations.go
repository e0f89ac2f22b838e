// Package migrations holds the SQL of both schemas, embedded, and runs it:
// forward only, one migrator at a time, each schema with its own version table.
//
// The schemas may live in two databases. Roles belong to the cluster and are
// made before, by [Roles].
package migrations

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"embed"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/lock"
)

// Schema is one of the two schemas.
type Schema string

// The schemas. casino and gaming never read or write each other's.
const (
	Gaming Schema = "gaming"
	Casino Schema = "casino"
)

//go:embed roles.sql gaming/*.sql casino/*.sql
var files embed.FS

// Status is one migration and whether it was applied.
type Status struct {
	Schema  Schema
	Version int64
	Name    string
	Applied bool
}

// Roles creates the cluster's roles and their settings. It needs a superuser,
// and may be run again at any time.
func Roles(ctx context.Context, url string) error {
	script, err := files.ReadFile("roles.sql")
	if err != nil {
		return err
	}
	db, err := open(url)
	if err != nil {
		return err
	}
	defer db.Close()
	if _, err := db.ExecContext(ctx, string(script)); err != nil {
		return fmt.Errorf("create roles: %w", err)
	}
	return nil
}

// Up applies what is missing of one schema, as the owner, and returns what it
// applied, also where a later migration failed: each is a transaction of its
// own. Migrators that start together wait for each other: the second finds
// nothing to do.
func Up(ctx context.Context, url string, schema Schema) ([]Status, error) {
	db, err := open(url)
	if err != nil {
		return nil, err
	}
	defer db.Close()
	if err := createSchema(ctx, db, schema); err != nil {
		return nil, err
	}
	provider, err := newProvider(db, schema)
	if err != nil {
		return nil, err
	}
	results, err := provider.Up(ctx)
	var partial *goose.PartialError
	if errors.As(err, &partial) {
		results = partial.Applied
	}
	var applied []Status
	for _, r := range results {
		applied = append(applied, Status{Schema: schema, Version: r.Source.Version, Name: sourceName(schema, r.Source), Applied: true})
	}
	if err != nil {
		return applied, fmt.Errorf("migrate %s: %w", schema, err)
	}
	return applied, nil
}

// List returns every migration of a schema that this program knows, with
// whether the database has it.
func List(ctx context.Context, url string, schema Schema) ([]Status, error) {
	db, err := open(url)
	if err != nil {
		return nil, err
	}
	defer db.Close()
	done, err := appliedVersions(ctx, db, schema)
	if err != nil {
		return nil, err
	}
	provider, err := newProvider(db, schema)
	if err != nil {
		return nil, err
	}
	var list []Status
	for _, s := range provider.ListSources() {
		list = append(list, Status{
			Schema: schema, Version: s.Version, Name: sourceName(schema, s), Applied: done[s.Version],
		})
	}
	return list, nil
}

// Digest identifies the whole set of migrations and roles.
func Digest() string {
	sum := sha256.New()
	_ = fs.WalkDir(files, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		content, err := files.ReadFile(path)
		fmt.Fprintf(sum, "%s %d\n%s", path, len(content), content)
		return err
	})
	fmt.Fprintf(sum, "river %d", riverVersion)
	return hex.EncodeToString(sum.Sum(nil))
}

func open(url string) (*sql.DB, error) {
	cfg, err := pgx.ParseConfig(url)
	if err != nil {
		// The parser's error quotes the URL, password and all.
		return nil, ErrURL
	}
	return stdlib.OpenDB(*cfg), nil
}

// createSchema makes the schema and with it the place of the version table,
// which goose wants before the first migration.
func createSchema(ctx context.Context, db *sql.DB, schema Schema) error {
	const createOnce = `do $$ begin
  create schema if not exists %[1]s;
exception when unique_violation or duplicate_schema then null; -- another migrator was first
end $$`
	if _, err := db.ExecContext(ctx, fmt.Sprintf(createOnce, schema)); err != nil {
		return fmt.Errorf("create schema %s: %w", schema, err)
	}
	return nil
}

func newProvider(db *sql.DB, schema Schema) (*goose.Provider, error) {
	dir, err := fs.Sub(files, string(schema))
	if err != nil {
		return nil, err
	}
	// A migrator waits for the other's whole run: 5 minutes, looked at every
	// second, the shortest that goose knows.
	locker, err := lock.NewPostgresSessionLocker(lock.WithLockTimeout(1, 300))
	if err != nil {
		return nil, err
	}
	options := []goose.ProviderOption{
		goose.WithTableName(versionTable(schema)),
		goose.WithSessionLocker(locker),
		goose.WithDisableGlobalRegistry(true),
	}
	if schema == Casino {
		options = append(options, goose.WithGoMigrations(riverMigration()))
	}
	return goose.NewProvider(goose.DialectPostgres, db, dir, options...)
}

func versionTable(schema Schema) string { return string(schema) + ".schema_version" }

func sourceName(schema Schema, s *goose.Source) string {
	if s.Path == "" {
		return fmt.Sprintf("%s/%05d_river_%d", schema, s.Version, riverVersion)
	}
	return string(schema) + "/" + s.Path
}
