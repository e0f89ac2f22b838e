package command

import (
	"slices"

	"github.com/walletctl/walletctl/replay"
)

// whatNext says of each kind of case what to do about it.
var whatNext = map[string]string{
	"credit_exhausted":   "Confirmed and not credited. Repair the cause of the last error, then send it again.",
	"debit_exhausted":    "Not debited, as far as casino knows. Repair the cause of the last error, then send it again.",
	"payout_exhausted":   "Debited, and its payout could not be asked for. Repair the broker, then send it again.",
	"reversal_exhausted": "Rejected, and the money is not back. Repair the cause of the last error, then send it again.",
	"effect_exhausted":   "The effect was not published. Repair the broker, then send it again.",

	"credit_invalid":   "gaming can never take this credit as it is. Find out why before it is sent again.",
	"debit_invalid":    "gaming can never take this debit as it is. Find out why before it is sent again.",
	"reversal_invalid": "gaming can never take this reversal as it is. Find out why before it is sent again.",
	"key_conflict":     "The ledger has this id with other content. Compare the two; sending it again moves nothing.",

	"unknown_deposit":    "A gateway names a deposit that there is not. Look whose it is; nothing was credited.",
	"unknown_withdrawal": "A gateway names a withdrawal that there is not. Look whose it is; nothing moved.",
	"brand_mismatch":     "A brand's account names what is another brand's: an alarm. Nothing moved.",
	"gateway_mismatch":   "Another gateway or account than its own speaks about it. Nothing moved.",
	"currency_mismatch":  "Another currency than was asked for. Nothing moved: refund it, or make a new one.",
	"amount_mismatch":    "Another amount than was asked for. Nothing moved: refund it, or make a new one.",
	"payment_unnamed":    "Confirmed, and the gateway does not say by which payment. Ask the gateway.",
	"payment_reused":     "The payment paid something else already. Nothing moved.",
	"second_payment":     "Paid twice, credited once. Refund the second payment at the gateway.",
	"chargeback":         "The money went back. Decide what the player may keep; freeze the wallet meanwhile.",

	"payout_unnamed":       "Paid, and the gateway does not say by which payout. Ask the gateway.",
	"payout_reused":        "The payout paid another withdrawal already. Ask the gateway.",
	"second_payout":        "Paid twice. Ask the gateway for the second one back.",
	"paid_before_debit":    "Paid, and not taken from the wallet as far as casino knows. Look at the ledger first.",
	"paid_after_rejection": "Paid, and given back to the wallet as well. Somebody has the money twice.",
	"rejected_after_paid":  "It was paid, and now the gateway says that it failed. Nothing was given back: ask the gateway.",

	"balance_overflow": "The balance would not fit. Nothing moved.",
	"reversal_refused": "A win was taken back that the wallet could not pay. Decide about the debt.",
}

// sentAgain are the kinds whose next step is to send again.
var sentAgain = []string{
	"credit_exhausted", "debit_exhausted", "payout_exhausted", "reversal_exhausted", "effect_exhausted",
}

func caseKinds() []string {
	var kinds []string
	for kind := range whatNext {
		kinds = append(kinds, kind)
	}
	slices.Sort(kinds)
	return kinds
}

// next is what to do about a case, and what to type. A kind of a newer version
// has no advice of its own.
func next(c *replay.Case) (advice string, commands []string) {
	ref := c.Ref.String()
	if c.ClosedAt != nil {
		return "It is closed.", nil
	}
	if c.Owner == "" {
		commands = append(commands, "walletctl cases claim "+ref)
	}
	if explain := explainCommand(c); explain != "" {
		commands = append(commands, explain)
	}
	if slices.Contains(sentAgain, c.Kind) {
		return whatNext[c.Kind], append(commands, "walletctl replay "+word(c.Subject.ID))
	}
	return whatNext[c.Kind], append(commands, "walletctl cases resolve "+ref+" --reason '...'")
}

func explainCommand(c *replay.Case) string {
	id := word(c.Subject.ID)
	switch c.Subject.Type {
	case replay.Deposit, replay.Withdrawal, replay.Wallet:
		return "walletctl explain " + c.Subject.Type + " " + id
	case replay.Movement:
		return "walletctl explain movement " + id
	}
	return ""
}
