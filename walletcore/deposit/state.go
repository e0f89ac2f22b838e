package deposit

// Status is where a deposit is.
type Status string

// The statuses of a deposit.
const (
	Pending   Status = "pending"   // created, not paid as far as we know
	Confirmed Status = "confirmed" // the gateway says that it is paid; to be credited
	Credited  Status = "credited"  // in the player's wallet, with a receipt; final
	Expired   Status = "expired"   // not paid in time
	Failed    Status = "failed"    // the gateway says that the payment failed
)

// Statuses lists every status.
func Statuses() []Status { return []Status{Pending, Confirmed, Credited, Expired, Failed} }

// Known implements pgtx.Status.
func (s Status) Known() []string {
	var names []string
	for _, one := range Statuses() {
		names = append(names, string(one))
	}
	return names
}

// Paid reports whether the money came in: from there on the deposit is never
// downgraded.
func (s Status) Paid() bool { return s == Confirmed || s == Credited }

// CanMove reports whether a deposit may go from s to another status.
func (s Status) CanMove(to Status) bool {
	switch s {
	case Pending:
		return to == Confirmed || to == Expired || to == Failed
	case Expired, Failed:
		return to == Confirmed
	case Confirmed:
		return to == Credited
	}
	return false
}
