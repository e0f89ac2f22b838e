package legacy

import "errors"

// Why a query cannot be a source.
var (
	// ErrNoOrder: without one the same data may come in another order the next
	// time, with another digest.
	ErrNoOrder = errors.New("the query has no order by: end it with one over a unique key")
	// ErrParameter: there is nobody to give it a value.
	ErrParameter = errors.New("the query has a parameter such as $1: write the value")
	// ErrFloat, ErrMoney and ErrMark are the Err of a *ColumnError.
	ErrFloat = errors.New("is a float: cast it in the query, as in amount::numeric(18,8)")
	ErrMoney = errors.New("is of type money, which a locale writes: cast it in the query, as in amount::numeric(18,8)")
	ErrMark  = errors.New("is numeric, which has a decimal point, and the mapping declares another mark")
)

// ColumnError says why a column of the query cannot be read.
type ColumnError struct {
	Column string
	Err    error
}

func (e *ColumnError) Error() string { return "column " + e.Column + " " + e.Err.Error() }

// Unwrap returns the reason.
func (e *ColumnError) Unwrap() error { return e.Err }
