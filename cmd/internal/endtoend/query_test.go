package endtoend_test

import (
	"context"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
)

// count returns the number that a query answers.
func (p *platform) count(query string, args ...any) int {
	p.t.Helper()
	var n int
	require.NoError(p.t, p.admin.QueryRow(context.Background(), query, args...).Scan(&n))
	return n
}

// texts returns the one column of a query; nil where there is no row.
func (p *platform) texts(query string, args ...any) []string {
	p.t.Helper()
	rows, err := p.admin.Query(context.Background(), query, args...)
	require.NoError(p.t, err)
	all, err := pgx.AppendRows([]string(nil), rows, pgx.RowTo[string])
	require.NoError(p.t, err)
	return all
}

// exec runs a statement as the superuser.
func (p *platform) exec(statement string, args ...any) {
	p.t.Helper()
	_, err := p.admin.Exec(context.Background(), statement, args...)
	require.NoError(p.t, err)
}

// entries returns how many entries a deposit has.
func (p *platform) entries(d deposit) int {
	p.t.Helper()
	return p.count(`select count(*) from gaming.entries where kind = 'deposit' and external_id = $1`, d.ID)
}

// attempts returns how many attempts to credit the deposit ended.
func (p *platform) attempts(d deposit) int {
	p.t.Helper()
	return p.count(`select attempts from casino.deposits where id = $1`, d.ID)
}
