package withdrawal

// Status is where a withdrawal is.
type Status string

// The statuses of a withdrawal.
const (
	Requested Status = "requested" // asked for; not taken from the wallet as far as we know
	Debited   Status = "debited"   // taken from the wallet; the payout is under way
	Paid      Status = "paid"      // the gateway says that the player has it; final
	Rejected  Status = "rejected"  // will not be paid; what was taken is being given back
	Reversed  Status = "reversed"  // nothing is taken from the wallet, and never will be; final
)

// Statuses lists every status.
func Statuses() []Status { return []Status{Requested, Debited, Paid, Rejected, Reversed} }

// Known implements pgtx.Status.
func (s Status) Known() []string {
	var names []string
	for _, one := range Statuses() {
		names = append(names, string(one))
	}
	return names
}

// CanMove reports whether a withdrawal may go from s to another status.
func (s Status) CanMove(to Status) bool {
	switch s {
	case Requested:
		return to == Debited || to == Rejected
	case Debited:
		return to == Paid || to == Rejected
	case Rejected:
		return to == Reversed
	}
	return false
}
