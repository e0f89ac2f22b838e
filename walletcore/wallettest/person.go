package wallettest

import (
	"context"
	"fmt"
	"net/url"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"
)

// Person is a personal login, as people have them: its own role, which is a
// member of others. It is dropped when the test ends.
type Person struct {
	Name     string
	password string
}

// NewPerson makes a login that is a member of roles, or of none.
func NewPerson(t testing.TB, name string, memberOf ...string) Person {
	t.Helper()
	p := Person{Name: name + "_" + uuid.NewString()[:8], password: strings.ReplaceAll(uuid.NewString(), "-", "")}
	asAdmin(t, fmt.Sprintf(`create role %q login password '%s'`, p.Name, p.password))
	t.Cleanup(func() { asAdmin(t, fmt.Sprintf(`drop role %q`, p.Name)) })
	for _, role := range memberOf {
		asAdmin(t, fmt.Sprintf(`grant %q to %q`, role, p.Name))
	}
	return p
}

// URLOf returns the database's URL for a person.
func (d *Database) URLOf(t testing.TB, p Person) string {
	t.Helper()
	u, err := url.Parse(d.URL(t, Auditor))
	require.NoError(t, err)
	u.User = url.UserPassword(p.Name, p.password)
	return u.String()
}

// PoolOf returns a pool of a person that is closed when the test ends.
func (d *Database) PoolOf(t testing.TB, p Person) *pgxpool.Pool {
	t.Helper()
	pool, err := pgxpool.New(context.Background(), d.URLOf(t, p))
	require.NoError(t, err)
	t.Cleanup(pool.Close)
	return pool
}

func asAdmin(t testing.TB, statement string) {
	t.Helper()
	ctx := context.Background()
	admin, err := pgx.Connect(ctx, Getenv(t, string(Admin)))
	require.NoError(t, err)
	defer admin.Close(ctx)
	_, err = admin.Exec(ctx, statement)
	require.NoError(t, err)
}
