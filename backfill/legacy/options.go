package legacy

import (
	"errors"
	"regexp"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/walletctl/walletctl/walletcore/record"
)

// Options say what is read.
type Options struct {
	// Pool leads to the legacy database: required. One connection of it is used.
	Pool *pgxpool.Pool
	// Query gives a row a movement, and has an order: required.
	Query string
	// Mapping declares its columns. What it says of files does not count.
	Mapping record.Mapping
	// Name stands for the query in positions and errors. Default: query.
	Name string
}

var ordered = regexp.MustCompile(`(?i)\border\s+by\b`)

// Validate checks o and fills in the defaults. The error may be ErrNoOrder or a
// *record.MappingError.
func (o *Options) Validate() error {
	switch {
	case o.Pool == nil:
		return errors.New("a query needs a database")
	case o.Query == "":
		return errors.New("a query is needed")
	case !ordered.MatchString(o.Query):
		return ErrNoOrder
	case o.Name == "":
		o.Name = "query"
	}
	return o.Mapping.Validate()
}
