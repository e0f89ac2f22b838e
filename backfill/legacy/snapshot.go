package legacy

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
)

// The text of a value must not depend on whose session it is, nor the order of
// rows on who else reads the table. Years of history may take hours.
const settings = `
set local client_encoding = 'UTF8';
set local datestyle = 'ISO, YMD';
set local timezone = 'UTC';
set local synchronize_seqscans = off;
set local statement_timeout = 0;
set local idle_in_transaction_session_timeout = 0;`

// snapshot is a read-only transaction on a connection of its own.
type snapshot struct {
	conn   *pgxpool.Conn
	ctx    context.Context
	cancel context.CancelFunc
	result *pgconn.ResultReader // nil before the query runs
}

func begin(ctx context.Context, pool *pgxpool.Pool) (*snapshot, error) {
	conn, err := pool.Acquire(ctx)
	if err != nil {
		return nil, fmt.Errorf("connect to the legacy database: %w", err)
	}
	s := &snapshot{conn: conn}
	s.ctx, s.cancel = context.WithCancel(ctx)
	_, err = conn.BeginTx(s.ctx, pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly})
	if err == nil {
		err = conn.Conn().PgConn().Exec(s.ctx, settings).Close()
	}
	if err != nil {
		s.close()
		return nil, fmt.Errorf("begin to read the legacy database: %w", err)
	}
	return s, nil
}

// describe returns the columns of a query, which is not run.
func (s *snapshot) describe(query string) ([]pgconn.FieldDescription, error) {
	statement, err := s.conn.Conn().PgConn().Prepare(s.ctx, "", query, nil)
	if err != nil {
		return nil, err
	}
	if len(statement.ParamOIDs) > 0 {
		return nil, ErrParameter
	}
	return statement.Fields, nil
}

// run sends the query. Of several statements in it the server takes none.
func (s *snapshot) run(query string) {
	s.result = s.conn.Conn().PgConn().ExecParams(s.ctx, query, nil, nil, nil, nil)
}

// rollbackTime bounds what a connection may take to become free again.
const rollbackTime = 5 * time.Second

// close gives the connection back. What the server has still to send is not
// waited for.
func (s *snapshot) close() {
	defer s.cancel()
	defer s.conn.Release() // one in a transaction, or broken, is closed
	if s.result != nil {
		s.cancel()
		_, _ = s.result.Close() // what it says was heard, or is of no interest
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(s.ctx), rollbackTime)
	defer cancel()
	_, _ = s.conn.Exec(ctx, `rollback`) // nothing was written
}
