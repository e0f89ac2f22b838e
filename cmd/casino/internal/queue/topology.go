// Package queue is casino's side of the broker: the queue between the webhook
// door and the state machines, the exchange on which effects and requests for
// payouts are published, and the queue on which payouts' outcomes come back.
package queue

import (
	"github.com/walletctl/walletctl/walletcore/broker"
	"github.com/walletctl/walletctl/walletcore/withdrawal"
)

// Names on the broker.
const (
	WebhookExchange    = "casino.webhooks"      // direct, from the door
	NotificationsQueue = "casino.notifications" // to the state machines
	WebhookKey         = "notification"
	EventExchange      = "casino.events"   // topic: deposit.confirmed.<effect>, payout.requested
	PayoutsQueue       = "casino.payouts"  // to whoever pays
	OutcomeExchange    = "casino.outcomes" // direct, from whoever pays
	OutcomesQueue      = "casino.outcomes" // to the state machine
	OutcomeKey         = "outcome"
	DeadLetterExchange = "casino.dlx"
	DeadLetterQueue    = "casino.dead"
)

// deliveryLimit is how often a webhook is delivered again that was not settled:
// each time a process died over it, or failed in a way that is its fault.
const deliveryLimit = 10

// Topology returns what casino declares: its queues, and one for each effect,
// so that nothing published is lost before its receiver first runs.
func Topology(effects []string) broker.Topology {
	t := broker.DeadLetters(DeadLetterExchange, DeadLetterQueue).Plus(broker.Topology{
		Exchanges: []broker.Exchange{
			{Name: WebhookExchange, Kind: "direct"},
			{Name: EventExchange, Kind: "topic"},
			{Name: OutcomeExchange, Kind: "direct"},
		},
		Queues: []broker.Queue{
			{Name: NotificationsQueue, DeliveryLimit: deliveryLimit, DeadLetter: DeadLetterExchange},
			{Name: PayoutsQueue, DeliveryLimit: deliveryLimit, DeadLetter: DeadLetterExchange},
			{Name: OutcomesQueue, DeliveryLimit: deliveryLimit, DeadLetter: DeadLetterExchange},
		},
		Bindings: []broker.Binding{
			{Exchange: WebhookExchange, Queue: NotificationsQueue, Key: WebhookKey},
			{Exchange: EventExchange, Queue: PayoutsQueue, Key: withdrawal.EventPayout},
			{Exchange: OutcomeExchange, Queue: OutcomesQueue, Key: OutcomeKey},
		},
	})
	for _, name := range effects {
		queue := EffectQueue(name)
		t.Queues = append(t.Queues, broker.Queue{Name: queue, DeliveryLimit: deliveryLimit, DeadLetter: DeadLetterExchange})
		t.Bindings = append(t.Bindings, broker.Binding{Exchange: EventExchange, Queue: queue, Key: effectKey(name)})
	}
	return t
}

// EffectQueue is where the receiver of an effect reads.
func EffectQueue(effect string) string { return effectQueues + effect }

const effectQueues = "casino.effects."
