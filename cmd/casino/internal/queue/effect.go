package queue

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/walletctl/walletctl/walletcore/broker"
	"github.com/walletctl/walletctl/walletcore/deposit"
)

// Effects publishes what a confirmation sets off elsewhere. It is the deposit
// service's EffectPublisher.
type Effects struct {
	publisher *broker.Publisher
	user      string
}

// NewEffects returns a publisher on conn.
func NewEffects(conn *broker.Conn) *Effects {
	return &Effects{broker.NewPublisher(conn, broker.PublisherOptions{Exchanges: []string{EventExchange}}), conn.User()}
}

func effectKey(effect string) string { return deposit.EventDepositConfirmed + "." + effect }

// PublishEffect returns nil when the broker has the message. It carries the
// same id each time, by which its receiver knows a repetition.
func (e *Effects) PublishEffect(ctx context.Context, effect deposit.Effect) error {
	body, err := json.Marshal(effect)
	if err != nil {
		return fmt.Errorf("encode effect: %w", err)
	}
	return e.publisher.Publish(ctx, broker.Message{
		Exchange:      EventExchange,
		Key:           effectKey(effect.Name),
		ID:            effect.MessageID,
		Type:          effect.Event,
		CorrelationID: effect.CorrelationID,
		UserID:        e.user,
		Body:          body,
	})
}
