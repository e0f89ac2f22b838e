package gateway

import (
	"net/http"
	"time"

	"github.com/walletctl/walletctl/walletcore"
	"github.com/walletctl/walletctl/walletcore/signature"
	"github.com/walletctl/walletctl/walletcore/strictjson"
)

var genericForm = signature.Form{
	Header: "X-Signature", Encoding: signature.Hex, Prefix: "sha256=", Bare: true,
}

// generic is this project's own dialect, for gateways that are reached through
// an adapter of the operator's. docs/http.md is its contract.
type generic struct{}

// Verify implements [Dialect]: HMAC-SHA256 of the raw body, hex of any case,
// with or without the prefix "sha256=". There is no time in it; a replay is a
// resend, which moves nothing.
func (generic) Verify(h http.Header, body []byte, secrets [][]byte, _ time.Time) error {
	return genericForm.Verify(h, body, secrets)
}

// Parse implements [Dialect].
func (generic) Parse(body []byte, received Received) ([]walletcore.Notification, error) {
	object, err := strictjson.Parse(body)
	if err != nil {
		return nil, payloadError(err)
	}
	n := received.notification(body)
	for _, read := range []func(strictjson.Object, *walletcore.Notification) error{
		readGenericIDs, readGenericStatus, readGenericMoney, readGenericTime,
	} {
		if err := read(object, &n); err != nil {
			return nil, payloadError(err)
		}
	}
	return []walletcore.Notification{n}, nil
}

func readGenericIDs(o strictjson.Object, n *walletcore.Notification) error {
	for _, id := range []struct {
		name string
		into *string
	}{
		{"event_id", &n.EventID},
		{"type", &n.EventType},
		{"deposit_id", &n.DepositID},
		{"withdrawal_id", &n.WithdrawalID},
		{"payment_id", &n.PaymentID},
	} {
		value, err := o.ID(id.name, walletcore.MaxGivenID)
		if err != nil {
			return err
		}
		*id.into = value
	}
	if n.DepositID != "" && n.WithdrawalID != "" {
		return fault("withdrawal_id", "cannot be given together with deposit_id")
	}
	return require("event_id", n.EventID)
}

// readGenericStatus also asks for the ids without which the status could not
// be applied: money that comes in needs both, money that goes back is known by
// its payment.
func readGenericStatus(o strictjson.Object, n *walletcore.Notification) error {
	text, ok, err := o.Text("status")
	if err != nil {
		return err
	}
	if !ok {
		return fault("status", "is missing")
	}
	n.Status = walletcore.PaymentStatus(text)
	if n.OfPayout() {
		return checkPayout(n)
	}
	switch n.Status {
	case walletcore.PaymentPending, walletcore.PaymentFailed, walletcore.PaymentExpired:
		return require("deposit_id", n.DepositID)
	case walletcore.PaymentConfirmed:
		if err := require("deposit_id", n.DepositID); err != nil {
			return err
		}
		return require("payment_id", n.PaymentID)
	case walletcore.PaymentChargeback:
		return require("payment_id", n.PaymentID)
	}
	return fault("status", "is not one of pending, confirmed, failed, expired, chargeback, paid, rejected")
}

// checkPayout takes what a gateway may say about a withdrawal's payout. Only
// paid and rejected are final.
func checkPayout(n *walletcore.Notification) error {
	if err := require("withdrawal_id", n.WithdrawalID); err != nil {
		return err
	}
	switch n.Status {
	case walletcore.PaymentPaid:
		return require("payment_id", n.PaymentID)
	case walletcore.PaymentRejected, walletcore.PaymentPending:
		return nil
	}
	return fault("status", "of a withdrawal is not one of pending, paid, rejected")
}

// readGenericMoney reads a decimal string in the main unit. A JSON number is
// refused, also an integer: it may be cents, and may have been a float.
func readGenericMoney(o strictjson.Object, n *walletcore.Notification) error {
	amount, given, err := o.Text("amount")
	if err != nil {
		return fault("amount", `must be a decimal string such as "12.50"`)
	}
	if n.Currency, _, err = o.Text("currency"); err != nil {
		return err
	}
	if !given {
		if movesMoney(n.Status) {
			return fault("amount", "is missing")
		}
		n.Currency = ""
		return nil
	}
	if n.Amount, err = walletcore.ParseMoney(amount); err != nil {
		return atField("amount", err)
	}
	if err := walletcore.CheckCurrency(n.Currency); err != nil {
		return err
	}
	return walletcore.CheckPayable(n.Amount, n.Currency)
}

func readGenericTime(o strictjson.Object, n *walletcore.Notification) error {
	text, _, err := o.Text("occurred_at")
	if err != nil {
		return err
	}
	at, err := time.Parse(time.RFC3339, text)
	if err != nil {
		return fault("occurred_at", "is not an RFC 3339 time such as 2026-01-02T15:04:05Z")
	}
	if at = at.UTC(); at.Year() < 1970 || at.Year() > 9999 {
		return fault("occurred_at", "is out of range")
	}
	n.OccurredAt = at.Truncate(time.Microsecond)
	return nil
}
