package queue

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/walletctl/walletctl/walletcore/broker"
	"github.com/walletctl/walletctl/walletcore/withdrawal"
)

// Payouts asks for payouts. It is the withdrawal service's PayoutPublisher.
type Payouts struct {
	publisher *broker.Publisher
	user      string
}

// NewPayouts returns a publisher on conn.
func NewPayouts(conn *broker.Conn) *Payouts {
	return &Payouts{broker.NewPublisher(conn, broker.PublisherOptions{Exchanges: []string{EventExchange}}), conn.User()}
}

// PublishPayout returns nil when the broker has the message. It carries the
// same id each time, by which its receiver knows a repetition.
func (p *Payouts) PublishPayout(ctx context.Context, payout withdrawal.Payout) error {
	body, err := json.Marshal(payout)
	if err != nil {
		return fmt.Errorf("encode payout: %w", err)
	}
	return p.publisher.Publish(ctx, broker.Message{
		Exchange:      EventExchange,
		Key:           withdrawal.EventPayout,
		ID:            payout.MessageID,
		Type:          payout.Event,
		CorrelationID: payout.CorrelationID,
		UserID:        p.user,
		Body:          body,
	})
}
