package record

import (
	"fmt"
	"time"

	"github.com/walletctl/walletctl/walletcore"
)

// DigestSize is the length of a SHA-256 digest, in bytes.
const DigestSize = 32

// Record is one row of a source: a movement, or a line of a settlement or
// report. A field that the mapping does not declare is its zero value. The
// texts share the memory of their row; clone one that is kept long.
type Record struct {
	Position Position
	Brand    string
	User     string
	Currency string
	Kind     walletcore.Kind // empty where the mapping declares none
	// ID is the external id behind its namespace, empty where the row has none.
	ID string
	// Real and Bonus are the changes of the two balances, in the main unit of
	// the currency, as the wallet sees them: what it receives is positive.
	Real, Bonus walletcore.Money
	// RealAfter and BonusAfter are the balances that the source shows behind the
	// movement.
	RealAfter, BonusAfter Balance
	Fee                   walletcore.Money // as written, zero where it is empty
	Reference             string
	Round                 string
	Status                string // as the statuses of the mapping say
	Actor                 string
	Time                  time.Time // UTC; the zero time where the mapping declares none
	Sequence              int64
	// Digest covers all values of a row without an id, so that it can be given
	// one which is the same in every run. It is zero where ID is not empty.
	Digest [DigestSize]byte
}

// Balance is an amount that a source may or may not show.
type Balance struct {
	Money walletcore.Money
	Known bool
}

// Position is a place in a source, as an editor or a spreadsheet counts.
type Position struct {
	File string
	// Line is where the record begins, from 1: a quoted field may hold more
	// lines.
	Line int64
	// Column is the field of an error, counted from 1 in its row or object; 0
	// where the whole row is meant.
	Column int
}

// String formats p as file:line or file:line:column.
func (p Position) String() string {
	if p.Column == 0 {
		return fmt.Sprintf("%s:%d", p.File, p.Line)
	}
	return fmt.Sprintf("%s:%d:%d", p.File, p.Line, p.Column)
}
