package rpc

import "github.com/walletctl/walletctl/walletcore/broker"

// Names on the broker.
const (
	Exchange           = "gaming.rpc"
	CallsQueue         = "gaming.calls"
	DeadLetterExchange = "gaming.dlx"
	DeadLetterQueue    = "gaming.dead"
)

// The calls: each is the routing key and the type of its message.
const (
	CreditKey  = "credit_deposit"
	DebitKey   = "debit_withdrawal"
	ReverseKey = "reverse_withdrawal"
	BonusKey   = "change_bonus"
)

// DeliveryLimit is how often the broker delivers a request again that was not
// settled: because it failed, or because the process died over it.
const DeliveryLimit = 10

// HeaderDeadline holds until when a caller waits, in Unix milliseconds.
const HeaderDeadline = "x-deadline"

// Topology returns what gaming declares.
func Topology() broker.Topology {
	t := broker.Topology{
		Exchanges: []broker.Exchange{{Name: Exchange, Kind: "direct"}},
		Queues:    []broker.Queue{{Name: CallsQueue, DeliveryLimit: DeliveryLimit, DeadLetter: DeadLetterExchange}},
	}
	for _, key := range []string{CreditKey, DebitKey, ReverseKey, BonusKey} {
		t.Bindings = append(t.Bindings, broker.Binding{Exchange: Exchange, Queue: CallsQueue, Key: key})
	}
	return broker.DeadLetters(DeadLetterExchange, DeadLetterQueue).Plus(t)
}
