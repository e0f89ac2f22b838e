package rpc

import "github.com/walletctl/walletctl/walletcore/broker"

// Names on the broker.
const (
	Exchange           = "gaming.rpc"
	CreditsQueue       = "gaming.credits"
	CreditKey          = "credit_deposit" // the routing key, and the type of the message
	DeadLetterExchange = "gaming.dlx"
	DeadLetterQueue    = "gaming.dead"
)

// DeliveryLimit is how often the broker delivers a request again that was not
// settled: because it failed, or because the process died over it.
const DeliveryLimit = 10

// HeaderDeadline holds until when a caller waits, in Unix milliseconds.
const HeaderDeadline = "x-deadline"

// Topology returns what gaming declares.
func Topology() broker.Topology {
	return broker.DeadLetters(DeadLetterExchange, DeadLetterQueue).Plus(broker.Topology{
		Exchanges: []broker.Exchange{{Name: Exchange, Kind: "direct"}},
		Queues:    []broker.Queue{{Name: CreditsQueue, DeliveryLimit: DeliveryLimit, DeadLetter: DeadLetterExchange}},
		Bindings:  []broker.Binding{{Exchange: Exchange, Queue: CreditsQueue, Key: CreditKey}},
	})
}
