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
	// PaymentOther is a message that says nothing about a deposit's state. It
	// is kept and changes nothing.
	PaymentOther PaymentStatus = "other"
)

// Notification is one message of a payment gateway after its signature was
// verified and its payload read, the same for every dialect.
type Notification struct {
	MessageID  string // ours: one per delivery accepted at the door, the broker's message id
	Gateway    string // the name in the URL
	Account    string // the account in the URL; its secret verified
	Dialect    string // the format of Body, so that it can be read again
	Brand      string // the brand that the account belongs to, by configuration
	EventID    string // the gateway's id of the event; may repeat
	EventType  string // the gateway's own name for it, for people
	DepositID  string // as the gateway returned it; empty where the message names none
	PaymentID  string // the gateway's id of the payment; empty where there is none
	Status     PaymentStatus
	Amount     Money  // paid; meaningful for confirmed and chargeback
	Currency   string // upper case
	OccurredAt time.Time
	ReceivedAt time.Time
	Body       []byte // as received
}
