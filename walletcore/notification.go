package walletcore

import "time"

// PaymentStatus is what a gateway says about a payment, in our words.
type PaymentStatus string

// The statuses of a payment.
const (
	PaymentPending    PaymentStatus = "pending"
	PaymentConfirmed  PaymentStatus = "confirmed"
	PaymentFailed     PaymentStatus = "failed"
	PaymentExpired    PaymentStatus = "expired"
	PaymentChargeback PaymentStatus = "chargeback" // the money goes back: dispute, refund, recall
	PaymentPaid       PaymentStatus = "paid"       // of a payout: the money is with the player
	PaymentRejected   PaymentStatus = "rejected"   // of a payout: it certainly was not paid and will not be
	// PaymentOther is a message that says nothing about a deposit's or a
	// withdrawal's state. It is kept and changes nothing.
	PaymentOther PaymentStatus = "other"
)

// Valid reports whether s is a status of a payment.
func (s PaymentStatus) Valid() bool {
	switch s {
	case PaymentPending, PaymentConfirmed, PaymentFailed, PaymentExpired, PaymentChargeback,
		PaymentPaid, PaymentRejected, PaymentOther:
		return true
	}
	return false
}

// Notification is one message of a payment gateway after its signature was
// verified and its payload read, the same for every dialect.
type Notification struct {
	MessageID    string // ours: one per delivery accepted at the door, the broker's message id
	Gateway      string // the name in the URL
	Account      string // the account in the URL; its secret verified
	Dialect      string // the format of Body, so that it can be read again
	Brand        string // the brand that the account belongs to, by configuration
	EventID      string // the gateway's id of the event; may repeat
	EventType    string // the gateway's own name for it, for people
	DepositID    string // as the gateway returned it; empty where the message names none
	WithdrawalID string // the same of a payout; a message is about one of the two
	PaymentID    string // the gateway's id of the payment or payout; empty where there is none
	Status       PaymentStatus
	Amount       Money  // paid; meaningful for confirmed, chargeback, paid and rejected
	Currency     string // upper case
	OccurredAt   time.Time
	ReceivedAt   time.Time
	Body         []byte // as received
}

// OfPayout reports whether the message is about money that leaves: a
// withdrawal's.
func (n *Notification) OfPayout() bool {
	return n.WithdrawalID != "" || n.Status == PaymentPaid || n.Status == PaymentRejected
}
