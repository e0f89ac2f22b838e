package command

import "github.com/walletctl/walletctl/walletcore/withdrawal"

// glance says in one line where the withdrawal and its money are.
func (w *wholeWithdrawal) glance() string {
	what := w.Amount.String() + " " + w.Currency + " of " + w.Brand + "/" + w.User + ": "
	switch w.Status {
	case withdrawal.Requested:
		return what + "asked for; as far as is known, not taken from the wallet" + w.trouble()
	case withdrawal.Debited:
		return what + "taken from the wallet; " + w.payout()
	case withdrawal.Paid:
		return what + "taken from the wallet and paid, by payout " + w.paidBy
	case withdrawal.Rejected:
		return what + "rejected (" + w.Reason + "); being given back, or closed" + w.trouble()
	case withdrawal.Reversed:
		return what + "rejected (" + w.Reason + "); " + w.back()
	}
	return what + string(w.Status)
}

func (w *wholeWithdrawal) payout() string {
	if w.PayoutRequestedAt == nil {
		return "its payout is not asked for yet"
	}
	return "its payout is asked for, and no final word about it has come"
}

// back tells what was given back from what was never taken.
func (w *wholeWithdrawal) back() string {
	if w.Reversal != nil && w.Reversal.RealAfter != w.Reversal.RealBefore {
		return "given back to the wallet"
	}
	return "nothing was taken from the wallet, and nothing can be any more"
}

// trouble says whether the step under way failed and when it is tried again.
func (w *wholeWithdrawal) trouble() string {
	switch {
	case w.LastErrorAt == nil || w.RejectedAt != nil && w.LastErrorAt.Before(*w.RejectedAt):
		return ""
	case w.NextAttemptAt == nil:
		return "; failed, and not tried again"
	}
	return "; failed, and tried again at " + instant(*w.NextAttemptAt)
}
