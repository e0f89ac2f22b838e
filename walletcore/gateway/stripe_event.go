package gateway

import (
	"time"

	"github.com/walletctl/walletctl/walletcore"
	"github.com/walletctl/walletctl/walletcore/strictjson"
)

// stripeRule says how an event of one type is read.
type stripeRule struct {
	object string // what data.object must be
	status walletcore.PaymentStatus
	amount string // the field of the money that moved, in Stripe's unit
}

// stripeRules lists the events that say something about a deposit or a payout.
// All others are kept as [walletcore.PaymentOther].
var stripeRules = map[string]stripeRule{
	"checkout.session.completed":               {"checkout.session", walletcore.PaymentConfirmed, "amount_total"},
	"checkout.session.async_payment_succeeded": {"checkout.session", walletcore.PaymentConfirmed, "amount_total"},
	"checkout.session.async_payment_failed":    {"checkout.session", walletcore.PaymentFailed, ""},
	"checkout.session.expired":                 {"checkout.session", walletcore.PaymentExpired, ""},
	"payment_intent.succeeded":                 {"payment_intent", walletcore.PaymentConfirmed, "amount_received"},
	"payment_intent.processing":                {"payment_intent", walletcore.PaymentPending, ""},
	"payment_intent.payment_failed":            {"payment_intent", walletcore.PaymentFailed, ""},
	"payment_intent.canceled":                  {"payment_intent", walletcore.PaymentFailed, ""},
	"charge.refunded":                          {"charge", walletcore.PaymentChargeback, "amount_refunded"},
	"charge.dispute.created":                   {"dispute", walletcore.PaymentChargeback, "amount"},
	"payout.paid":                              {"payout", walletcore.PaymentPaid, "amount"},
	"payout.failed":                            {"payout", walletcore.PaymentRejected, "amount"},
	"payout.canceled":                          {"payout", walletcore.PaymentRejected, "amount"},
}

// Parse implements [Dialect].
func (stripe) Parse(body []byte, received Received) ([]walletcore.Notification, error) {
	event, err := strictjson.Parse(body)
	if err != nil {
		return nil, payloadError(err)
	}
	n := received.notification(body)
	if err := readStripeEvent(event, &n); err != nil {
		return nil, payloadError(err)
	}
	return []walletcore.Notification{n}, nil
}

func readStripeEvent(event strictjson.Object, n *walletcore.Notification) error {
	if err := checkStripeObject(event, "object", "event"); err != nil {
		return err
	}
	var err error
	if n.EventID, err = requiredID(event, "id", "id"); err != nil {
		return err
	}
	if n.EventType, err = requiredID(event, "type", "type"); err != nil {
		return err
	}
	if n.OccurredAt, err = stripeTime(event); err != nil {
		return err
	}
	rule, ok := stripeRules[n.EventType]
	if !ok {
		n.Status = walletcore.PaymentOther
		return nil
	}
	data, _, err := event.Object("data")
	if err != nil {
		return err
	}
	object, _, err := data.Object("object")
	if err != nil {
		return err
	}
	return readStripeObject(object, rule, n)
}

func readStripeObject(object strictjson.Object, rule stripeRule, n *walletcore.Notification) error {
	if err := checkStripeObject(object, "data.object.object", rule.object); err != nil {
		return err
	}
	if rule.object == "payout" {
		return readStripePayout(object, rule, n)
	}
	var err error
	if n.Status, err = stripeStatus(object, rule); err != nil {
		return err
	}
	if n.DepositID, err = stripeDepositID(object); err != nil {
		return err
	}
	if n.PaymentID, err = stripePaymentID(object, rule); err != nil {
		return err
	}
	if !movesMoney(n.Status) {
		return nil
	}
	// Without it, one payment that is told twice would be two payments.
	if n.PaymentID == "" {
		return fault("data.object.payment_intent", "is missing")
	}
	n.Amount, n.Currency, err = stripeAmount(object, rule.amount)
	return err
}

// readStripePayout reads a payout that casino asked for: its metadata names the
// withdrawal. One that names none, such as those to the operator's own bank,
// says nothing about a withdrawal.
func readStripePayout(payout strictjson.Object, rule stripeRule, n *walletcore.Notification) error {
	metadata, _, err := payout.Object("metadata")
	if err != nil {
		return err
	}
	if n.WithdrawalID, err = metadata.ID("withdrawal_id", walletcore.MaxGivenID); err != nil {
		return err
	}
	if n.WithdrawalID == "" {
		n.Status = walletcore.PaymentOther
		return nil
	}
	n.Status = rule.status
	if n.PaymentID, err = requiredID(payout, "id", "data.object.id"); err != nil {
		return err
	}
	n.Amount, n.Currency, err = stripeAmount(payout, rule.amount)
	return err
}

// stripeStatus reads how a completed session was paid: a delayed method
// completes it before the money is there, and a free one pays nothing.
func stripeStatus(session strictjson.Object, rule stripeRule) (walletcore.PaymentStatus, error) {
	if rule.object != "checkout.session" || rule.status != walletcore.PaymentConfirmed {
		return rule.status, nil
	}
	paid, _, err := session.Text("payment_status")
	if err != nil {
		return "", err
	}
	switch paid {
	case "paid":
		return walletcore.PaymentConfirmed, nil
	case "unpaid":
		return walletcore.PaymentPending, nil
	case "no_payment_required":
		return walletcore.PaymentOther, nil
	}
	return "", fault("data.object.payment_status", "is not one of paid, unpaid, no_payment_required")
}

// stripeDepositID takes metadata.deposit_id, which can mean nothing else, and
// then client_reference_id, which only sessions have. It is empty where the
// object names no deposit, as with disputes.
func stripeDepositID(object strictjson.Object) (string, error) {
	metadata, ok, err := object.Object("metadata")
	if err != nil {
		return "", err
	}
	if ok && metadata.Has("deposit_id") {
		return metadata.ID("deposit_id", walletcore.MaxGivenID)
	}
	return object.ID("client_reference_id", walletcore.MaxGivenID)
}

// stripePaymentID takes the payment intent of every object, so that the two
// events of one payment are one payment. Charges from before payment intents
// stand for themselves.
func stripePaymentID(object strictjson.Object, rule stripeRule) (string, error) {
	names := map[string][]string{
		"checkout.session": {"payment_intent"},
		"payment_intent":   {"id"},
		"charge":           {"payment_intent", "id"},
		"dispute":          {"payment_intent", "charge"},
	}[rule.object]
	for _, name := range names {
		if id, err := object.ID(name, walletcore.MaxGivenID); id != "" || err != nil {
			return id, err
		}
	}
	return "", nil
}

func checkStripeObject(o strictjson.Object, path, want string) error {
	kind, _, err := o.Text("object")
	if err != nil {
		return err
	}
	if kind != want {
		return fault(path, "is not "+want)
	}
	return nil
}

func requiredID(o strictjson.Object, name, path string) (string, error) {
	id, err := o.ID(name, walletcore.MaxGivenID)
	if err != nil {
		return "", err
	}
	return id, require(path, id)
}

func stripeTime(event strictjson.Object) (time.Time, error) {
	const year10000 = 253402300800
	created, _, err := event.Int("created")
	if err != nil {
		return time.Time{}, err
	}
	if created <= 0 || created >= year10000 {
		return time.Time{}, fault("created", "is missing or out of range")
	}
	return time.Unix(created, 0).UTC(), nil
}
