package provider

import (
	"context"
	"errors"
	"strconv"

	"github.com/walletctl/walletctl/walletcore"
)

// Wallet is what this package needs of the ledger. Safe for concurrent use.
type Wallet interface {
	// Play posts the actions of a request, of which there is at least one,
	// whole or not at all, in their order, each idempotent by its key. The
	// error says that nothing could be decided, or that it is unknown what was:
	// the same request may be sent again.
	Play(ctx context.Context, request Request) (Result, error)
	// Posted reports whether a bet or win stands in the ledger under its id,
	// which is behind its namespace.
	Posted(ctx context.Context, wallet walletcore.WalletKey, kind Kind, id string) (bool, error)
	// Balance returns what the wallet holds; zero where there is none.
	Balance(ctx context.Context, wallet walletcore.WalletKey) (walletcore.Parts, error)
}

// Result is what became of a request.
type Result struct {
	// Outcomes has one for each action. Where one was refused none of the new
	// ones is posted: the others have ErrNotPosted. Replayed ones stand.
	Outcomes []Outcome
	Balance  walletcore.Parts // now
}

// Outcome is what became of one action.
type Outcome struct {
	// Posted is the receipt, first or replayed. Of a rollback it is that of what
	// moved money, if one did.
	Posted walletcore.Posted
	// Err is nil, or says why the action was not posted: a
	// *walletcore.RefusedError, a *walletcore.ConflictError, a
	// *walletcore.FieldError, or ErrNotPosted.
	Err error
}

// ErrNotPosted marks an action that would have been posted, had another one of
// its request not been refused.
var ErrNotPosted = errors.New("not posted: another action of the request was refused")

// Status is what an outcome comes to.
type Status string

// The statuses. A replay has that of the first time.
const (
	Applied   Status = "applied"
	Tombstone Status = "tombstone" // of something that was not there
	Void      Status = "void"      // came after its own tombstone, and moved nothing
	Declined  Status = "refused"   // Err says why
	Conflict  Status = "conflict"  // the id exists with other content
	NotPosted Status = "not_posted"
)

// Status returns the neutral status of an outcome.
func (o *Outcome) Status() Status {
	var conflict *walletcore.ConflictError
	switch {
	case errors.As(o.Err, &conflict):
		return Conflict
	case errors.Is(o.Err, ErrNotPosted):
		return NotPosted
	case o.Err != nil:
		return Declined
	case o.Posted.Receipt.Mark == walletcore.MarkTombstone:
		return Tombstone
	case o.Posted.Receipt.Mark == walletcore.MarkVoid:
		return Void
	}
	return Applied
}

// TransactionID is our lasting id of what stands in the ledger: its wallet and
// its place there.
func (o *Outcome) TransactionID() string {
	r := &o.Posted.Receipt
	return r.WalletID.String() + "-" + strconv.FormatInt(r.Seq, 10)
}
