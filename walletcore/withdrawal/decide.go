package withdrawal

import (
	"github.com/walletctl/walletctl/walletcore"
	"github.com/walletctl/walletctl/walletcore/casework"
	"github.com/walletctl/walletctl/walletcore/inbox"
)

// verdict is what a message does to a withdrawal.
type verdict struct {
	result   inbox.Result
	reason   string
	to       Status        // where it is applied
	kind     casework.Kind // where a case is opened
	expected string        // of the case: what the withdrawal says
	found    string        // of the case: what the message says
}

func skip(reason string) verdict { return verdict{result: inbox.Skipped, reason: reason} }

func raise(kind casework.Kind, reason, expected, found string) verdict {
	return verdict{result: inbox.CaseOpened, kind: kind, reason: reason, expected: expected, found: found}
}

// decide says what a message does to the withdrawal that it names, with the
// withdrawal's row locked. paidBy is the id of the payout that paid it, empty
// where none did. It reads nothing else, so every rule can be tested without a
// database.
func decide(w *Withdrawal, paidBy string, n *walletcore.Notification) verdict {
	switch {
	case n.Status != walletcore.PaymentPaid && n.Status != walletcore.PaymentRejected:
		return skip("says nothing final about a payout")
	case n.Brand != w.Brand:
		return raise(CaseBrandMismatch, "the account belongs to another brand", w.Brand, n.Brand)
	case n.Gateway != w.Gateway || n.Account != w.Account:
		return raise(CaseGatewayMismatch, "the withdrawal is paid by another gateway or account",
			w.Gateway+"/"+w.Account, n.Gateway+"/"+n.Account)
	case n.Currency != w.Currency && (n.Currency != "" || n.Status == walletcore.PaymentPaid):
		return raise(CaseCurrencyMismatch, string(n.Status)+" in another currency", w.Currency, n.Currency)
	case n.Amount != w.Amount && (!n.Amount.IsZero() || n.Status == walletcore.PaymentPaid):
		return raise(CaseAmountMismatch, "another amount is "+string(n.Status), w.Amount.String(), n.Amount.String())
	case n.Status == walletcore.PaymentPaid:
		return decidePaid(w, paidBy, n)
	}
	return decideRejected(w, paidBy)
}

func decidePaid(w *Withdrawal, paidBy string, n *walletcore.Notification) verdict {
	switch {
	case n.PaymentID == "":
		return raise(CasePayoutUnnamed, "it names no payout", "", "")
	case paidBy == n.PaymentID:
		return skip("already paid by this payout")
	case paidBy != "":
		return raise(CaseSecondPayout, "it was paid before, by another payout", paidBy, n.PaymentID)
	case w.Status == Requested:
		return raise(CasePaidBeforeDebit, "it was paid, and is not debited as far as is known", string(Debited), string(w.Status))
	case w.Status != Debited:
		return raise(CasePaidAfterRejection, "it was paid, and its money goes back to the wallet", string(Debited), string(w.Status))
	}
	return verdict{result: inbox.Applied, to: Paid}
}

func decideRejected(w *Withdrawal, paidBy string) verdict {
	switch w.Status {
	case Paid:
		return raise(CaseRejectedAfterPaid, "its payout failed after it was reported paid", paidBy, "")
	case Rejected, Reversed:
		return skip("already " + string(w.Status))
	}
	return verdict{result: inbox.Applied, to: Rejected}
}
