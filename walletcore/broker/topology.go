package broker

import (
	"context"
	"fmt"
	"slices"

	amqp "github.com/rabbitmq/amqp091-go"
)

// Topology is what must exist on the broker. Everything is durable, and every
// queue is a quorum queue.
type Topology struct {
	Exchanges []Exchange
	Queues    []Queue
	Bindings  []Binding
}

// Exchange is declared durable.
type Exchange struct {
	Name string
	Kind string // "direct", "topic" or "fanout"
}

// Queue is declared as a durable quorum queue.
type Queue struct {
	Name string
	// DeliveryLimit is how often the broker delivers a message again before
	// it becomes a dead letter. 0: for ever, which only suits a dead-letter
	// queue.
	DeliveryLimit int
	// DeadLetter is the exchange of dead letters. They are moved at least
	// once: the queue keeps a message until another has it.
	DeadLetter string
}

// Binding routes an exchange's messages with a key to a queue.
type Binding struct {
	Exchange string
	Queue    string
	Key      string
}

// DeadLetters is a fanout exchange with one queue behind it.
func DeadLetters(exchange, queue string) Topology {
	return Topology{
		Exchanges: []Exchange{{Name: exchange, Kind: amqp.ExchangeFanout}},
		Queues:    []Queue{{Name: queue}},
		Bindings:  []Binding{{Exchange: exchange, Queue: queue}},
	}
}

// Plus returns what t and o hold together.
func (t Topology) Plus(o Topology) Topology {
	return Topology{
		Exchanges: slices.Concat(t.Exchanges, o.Exchanges),
		Queues:    slices.Concat(t.Queues, o.Queues),
		Bindings:  slices.Concat(t.Bindings, o.Bindings),
	}
}

// Declare makes sure that t exists, now and after each loss of the connection
// or of a queue. What exists with another type or other arguments is a
// *TopologyError; nothing is deleted. A connection that is lost meanwhile is no
// error: the next one will do.
func (c *Conn) Declare(ctx context.Context, t Topology) error {
	for {
		s, err := c.session(ctx)
		if err != nil {
			return fmt.Errorf("declare topology: %w", err)
		}
		err = t.declare(ctx, s)
		if err == nil {
			break
		}
		if !s.lostBy(err) {
			return err
		}
		select {
		case <-s.gone:
		case <-ctx.Done():
			return err
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.topologies = append(c.topologies, t)
	return nil
}

// restore declares again what was declared before: a broker may come back
// empty, and a queue may have been deleted.
func (c *Conn) restore(ctx context.Context, s *session) {
	ctx, cancel := context.WithTimeout(ctx, c.opts.ConnectTimeout)
	defer cancel()
	c.mu.Lock()
	topologies := slices.Clone(c.topologies)
	c.mu.Unlock()
	for _, t := range topologies {
		if err := t.declare(ctx, s); err != nil {
			c.setFault("topology", err)
			c.opts.Logger.Error("topology cannot be restored", "err", err)
			return
		}
	}
	c.setFault("topology", nil)
}

func (t Topology) declare(ctx context.Context, s *session) error {
	for _, e := range t.Exchanges {
		if err := onChannel(ctx, s, e.declare); err != nil {
			return topologyError("exchange", e.Name, err)
		}
	}
	for _, q := range t.Queues {
		if err := onChannel(ctx, s, q.declare); err != nil {
			return topologyError("queue", q.Name, err)
		}
	}
	for _, b := range t.Bindings {
		if err := onChannel(ctx, s, b.declare); err != nil {
			return topologyError("binding of queue", b.Queue, err)
		}
	}
	return nil
}

// onChannel runs one declaration on a channel of its own: a refused one closes
// the channel.
func onChannel(ctx context.Context, s *session, declare func(*amqp.Channel) error) error {
	ch, err := s.channel(ctx)
	if err != nil {
		return err
	}
	defer func() { go ch.Close() }()
	return s.await(ctx, func() error { return declare(ch) })
}

func (e Exchange) declare(ch *amqp.Channel) error {
	return ch.ExchangeDeclare(e.Name, e.Kind, true, false, false, false, nil)
}

func (q Queue) declare(ch *amqp.Channel) error {
	_, err := ch.QueueDeclare(q.Name, true, false, false, false, q.arguments())
	return err
}

func (q Queue) arguments() amqp.Table {
	arguments := amqp.Table{"x-queue-type": amqp.QueueTypeQuorum}
	if q.DeliveryLimit > 0 {
		arguments["x-delivery-limit"] = q.DeliveryLimit
	}
	if q.DeadLetter != "" {
		arguments["x-dead-letter-exchange"] = q.DeadLetter
		// Without both, a dead letter is dropped when its queue is missing.
		arguments["x-dead-letter-strategy"] = "at-least-once"
		arguments["x-overflow"] = amqp.QueueOverflowRejectPublish
	}
	return arguments
}

func (b Binding) declare(ch *amqp.Channel) error {
	return ch.QueueBind(b.Queue, b.Key, b.Exchange, false, nil)
}
