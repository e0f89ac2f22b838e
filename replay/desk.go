package replay

import (
	"errors"

	"github.com/jackc/pgx/v5/pgxpool"
)

// Desk is where on-call works. Both pools connect with the person's own login,
// a member of oncall or supervisor; an auditor can read.
type Desk struct {
	Casino *pgxpool.Pool
	Gaming *pgxpool.Pool // nil: gaming's cases and entries are left out, and said to be
}

// Validate refuses a desk without casino's database.
func (d *Desk) Validate() error {
	if d.Casino == nil {
		return errors.New("replay needs casino's database")
	}
	return nil
}

func (d *Desk) pool(schema string) *pgxpool.Pool {
	if schema == "gaming" {
		return d.Gaming
	}
	return d.Casino
}

// of is the pool of a schema, or ErrNoGaming where the desk lacks it.
func (d *Desk) of(schema string) (*pgxpool.Pool, error) {
	if pool := d.pool(schema); pool != nil {
		return pool, nil
	}
	return nil, ErrNoGaming
}
