package gateway

import (
	"time"

	"github.com/walletctl/walletctl/walletcore"
)

// Received is a webhook whose signature was verified, as it goes into the
// queue and comes out of it.
type Received struct {
	MessageID     string    // ours, UUID version 7: one per accepted delivery
	Gateway       string    // the name in the URL
	Account       string    // the account in the URL; its secret verified
	Brand         string    // the account's, by configuration
	Dialect       string    // reads Body
	ReceivedAt    time.Time // UTC, microseconds
	CorrelationID string    // follows the money from here on
	Body          []byte    // as received
}

// Notifications reads the body in the dialect of the account that took it in.
// The error is a *PayloadError.
func (r *Received) Notifications() ([]walletcore.Notification, error) {
	dialect, ok := DialectByName(r.Dialect)
	if !ok {
		return nil, &PayloadError{Field: "dialect", Reason: "is unknown to this version"}
	}
	return dialect.Parse(r.Body, *r)
}

// notification returns what every dialect copies from the delivery itself.
func (r *Received) notification(body []byte) walletcore.Notification {
	return walletcore.Notification{
		MessageID:  r.MessageID,
		Gateway:    r.Gateway,
		Account:    r.Account,
		Dialect:    r.Dialect,
		Brand:      r.Brand,
		ReceivedAt: r.ReceivedAt,
		Body:       body,
	}
}
