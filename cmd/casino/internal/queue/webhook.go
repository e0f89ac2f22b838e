package queue

import (
	"context"
	"fmt"
	"time"

	"github.com/walletctl/walletctl/walletcore/broker"
	"github.com/walletctl/walletctl/walletcore/gateway"
)

// The headers of a webhook in the queue. Its body is the webhook's own, byte
// for byte.
const (
	headerGateway    = "x-gateway"
	headerAccount    = "x-account"
	headerBrand      = "x-brand"
	headerDialect    = "x-dialect"
	headerReceivedAt = "x-received-at"
)

// Webhooks puts verified webhooks into the queue. It is the door's
// gateway.Publisher.
type Webhooks struct {
	publisher *broker.Publisher
	user      string
}

// NewWebhooks returns a publisher on conn.
func NewWebhooks(conn *broker.Conn) *Webhooks {
	return &Webhooks{
		publisher: broker.NewPublisher(conn, broker.PublisherOptions{Exchanges: []string{WebhookExchange}}),
		user:      conn.User(),
	}
}

// PublishNotification returns nil when the broker has the webhook.
func (w *Webhooks) PublishNotification(ctx context.Context, r gateway.Received) error {
	return w.publisher.Publish(ctx, broker.Message{
		Exchange:      WebhookExchange,
		Key:           WebhookKey,
		ID:            r.MessageID,
		Type:          "gateway.webhook",
		CorrelationID: r.CorrelationID,
		UserID:        w.user,
		ContentType:   "application/octet-stream",
		Timestamp:     r.ReceivedAt,
		Body:          r.Body,
		Headers: map[string]any{
			headerGateway: r.Gateway, headerAccount: r.Account, headerBrand: r.Brand, headerDialect: r.Dialect,
			headerReceivedAt: r.ReceivedAt.Format(time.RFC3339Nano),
		},
	})
}

// received is the webhook as it went in. Its signature was verified at the
// door, by casino: gaming, which must be able to reply to anybody, can write
// to any queue, so a message counts only with casino's name on it, which the
// broker has checked.
func received(d broker.Delivery, user string) (gateway.Received, error) {
	if d.UserID != user {
		return gateway.Received{}, fmt.Errorf("message was sent by %q, not by %q", d.UserID, user)
	}
	r := gateway.Received{MessageID: d.ID, CorrelationID: d.CorrelationID, Body: d.Body}
	for name, field := range map[string]*string{
		headerGateway: &r.Gateway, headerAccount: &r.Account, headerBrand: &r.Brand, headerDialect: &r.Dialect,
	} {
		text, ok := d.Headers[name].(string)
		if !ok || text == "" {
			return r, fmt.Errorf("header %s is missing", name)
		}
		*field = text
	}
	at, _ := d.Headers[headerReceivedAt].(string)
	var err error
	if r.ReceivedAt, err = time.Parse(time.RFC3339Nano, at); err != nil {
		return r, fmt.Errorf("header %s is not a time", headerReceivedAt)
	}
	return r, nil
}
