package broker

import (
	"strings"
	"time"

	amqp "github.com/rabbitmq/amqp091-go"
)

// Delivery is a message as a handler sees it.
type Delivery struct {
	Exchange      string
	Key           string
	ID            string
	Type          string
	CorrelationID string
	ReplyTo       string
	// UserID is who sent it, where the sender said so: the broker has checked
	// it. Of what this user itself passed on, it is who sent it first.
	UserID      string
	ContentType string
	Headers     map[string]any
	Timestamp   time.Time
	Body        []byte
	// Attempt is 1 the first time. The broker counts, so that a process that
	// died over the message counts as well.
	Attempt int

	// trusted: this user itself published it, so what it says of its past is so.
	trusted bool
	raw     amqp.Delivery // settles on the channel that brought it, and on no other
}

// newDelivery reads what came over a connection of the user own.
func newDelivery(raw amqp.Delivery, own string) Delivery {
	earlier, _ := raw.Headers["x-delivery-count"].(int64)
	return Delivery{
		Exchange:      raw.Exchange,
		Key:           raw.RoutingKey,
		ID:            raw.MessageId,
		Type:          raw.Type,
		CorrelationID: raw.CorrelationId,
		ReplyTo:       raw.ReplyTo,
		UserID:        firstSender(&raw, own),
		ContentType:   raw.ContentType,
		Headers:       raw.Headers,
		Timestamp:     raw.Timestamp,
		Body:          raw.Body,
		Attempt:       int(earlier) + 1,
		raw:           raw,
		trusted:       isOwn(&raw, own),
	}
}

// WantsReply reports whether ReplyTo is a caller that waits by direct reply-to.
// Any other address is none: the default exchange would put the reply into
// whatever queue the caller names, with the rights of the one who replies.
func (d *Delivery) WantsReply() bool {
	return strings.HasPrefix(d.ReplyTo, replyQueue+".")
}
