package deposit

import (
	"github.com/walletctl/walletctl/walletcore"
	"github.com/walletctl/walletctl/walletcore/casework"
	"github.com/walletctl/walletctl/walletcore/inbox"
)

// verdict is what a message does to a deposit.
type verdict struct {
	result   inbox.Result
	reason   string
	to       Status        // where applied moves it; empty for a chargeback
	kind     casework.Kind // where a case is opened
	expected string        // of the case: what the deposit says
	found    string        // of the case: what the message says
}

func skip(reason string) verdict { return verdict{result: inbox.Skipped, reason: reason} }

func raise(kind casework.Kind, reason, expected, found string) verdict {
	return verdict{result: inbox.CaseOpened, kind: kind, reason: reason, expected: expected, found: found}
}

// decide says what a message does to the deposit that it names, with the
// deposit's row locked. paidBy is the id of the payment that confirmed the
// deposit, empty where none did. It reads nothing else, so every rule can be
// tested without a database.
func decide(d *Deposit, paidBy string, n *walletcore.Notification) verdict {
	if n.Status == walletcore.PaymentOther {
		return skip("says nothing about a deposit's state")
	}
	if v := checkOwner(d, n); v.result != "" {
		return v
	}
	switch n.Status {
	case walletcore.PaymentChargeback:
		return raise(CaseChargeback, "the gateway takes the money back", string(d.Status), n.Amount.String()+" "+n.Currency)
	case walletcore.PaymentConfirmed:
		return decideConfirmed(d, paidBy, n)
	case walletcore.PaymentFailed:
		return decideMove(d, Failed)
	case walletcore.PaymentExpired:
		return decideMove(d, Expired)
	}
	return skip("a deposit begins pending")
}

// checkOwner refuses a message whose account is not the deposit's: the secret
// of one brand or account must not move another's deposits.
func checkOwner(d *Deposit, n *walletcore.Notification) verdict {
	if n.Brand != d.Brand {
		return raise(CaseBrandMismatch, "the account belongs to another brand", d.Brand, n.Brand)
	}
	if n.Gateway != d.Gateway || n.Account != d.Account {
		return raise(CaseGatewayMismatch, "the deposit was made for another gateway or account",
			d.Gateway+"/"+d.Account, n.Gateway+"/"+n.Account)
	}
	return verdict{}
}

func decideConfirmed(d *Deposit, paidBy string, n *walletcore.Notification) verdict {
	switch {
	case n.PaymentID == "":
		return raise(CasePaymentUnnamed, "the confirmation names no payment", "", "")
	case n.Currency != d.Currency:
		return raise(CaseCurrencyMismatch, "paid in another currency", d.Currency, n.Currency)
	case n.Amount != d.Amount:
		return raise(CaseAmountMismatch, "another amount was paid", d.Amount.String(), n.Amount.String())
	case paidBy == n.PaymentID:
		return skip("already " + string(d.Status) + " by this payment")
	case paidBy != "":
		return raise(CaseSecondPayment, "the deposit was paid before, by another payment", paidBy, n.PaymentID)
	case d.ChargedBackAt != nil:
		return raise(CaseChargeback, "confirmed after the gateway took the money back", "", n.PaymentID)
	}
	return verdict{result: inbox.Applied, to: Confirmed}
}

func decideMove(d *Deposit, to Status) verdict {
	switch {
	case d.Status == to:
		return skip("already " + string(to))
	case !d.Status.CanMove(to):
		return skip(string(d.Status) + " does not become " + string(to))
	}
	return verdict{result: inbox.Applied, to: to}
}
