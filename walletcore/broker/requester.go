package broker

import (
	"context"
	"sync"

	"github.com/google/uuid"
	amqp "github.com/rabbitmq/amqp091-go"
)

// Requester sends requests and waits for their replies, by direct reply-to. It
// is safe for concurrent use and ends with its Conn.
type Requester struct {
	publisher *Publisher

	mu      sync.Mutex
	waiting map[string]chan Delivery
}

// NewRequester returns a requester on c.
func NewRequester(c *Conn, opts PublisherOptions) *Requester {
	r := &Requester{waiting: map[string]chan Delivery{}}
	r.publisher = newPublisher(c, opts, r.receive)
	return r
}

// Request sends m, whose correlation id and reply address it sets, and returns
// the reply. The error is one of those that the package documentation lists;
// it waits until ctx ends, or until the channel that the reply would come on is
// gone.
func (r *Requester) Request(ctx context.Context, m Message) (Delivery, error) {
	m.CorrelationID = uuid.NewString()
	m.ReplyTo = replyQueue
	reply := r.expect(m.CorrelationID)
	defer r.forget(m.CorrelationID)
	sent, err := r.publisher.send(ctx, m)
	if err != nil {
		r.publisher.count(err)
		return Delivery{}, err
	}
	confirmed := make(chan error, 1)
	go func() {
		err := sent.confirmed(ctx)
		r.publisher.count(err)
		confirmed <- err
	}()
	return await(ctx, sent.lane, reply, confirmed)
}

// await returns the reply, or why it cannot come. A reply says more than a
// confirmation, and may overtake it.
func await(ctx context.Context, l *lane, reply <-chan Delivery, confirmed <-chan error) (Delivery, error) {
	for {
		var err error
		select {
		case d := <-reply:
			return d, nil
		case err = <-confirmed:
			confirmed = nil
			if err == nil {
				continue
			}
		case <-l.closed:
			err = &NoReplyError{Err: l.end()}
		case <-ctx.Done():
			err = &NoReplyError{Err: ctx.Err()}
		}
		if confirmed != nil { // it ends with the lane and with ctx
			if verdict := <-confirmed; verdict != nil {
				err = verdict
			}
		}
		select {
		case d := <-reply:
			return d, nil
		default:
			return Delivery{}, err
		}
	}
}

func (r *Requester) expect(id string) <-chan Delivery {
	reply := make(chan Delivery, 1)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.waiting[id] = reply
	return reply
}

func (r *Requester) forget(id string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.waiting, id)
}

// receive hands a reply to its caller. One that is late or unknown is dropped.
func (r *Requester) receive(raw amqp.Delivery) {
	r.mu.Lock()
	reply := r.waiting[raw.CorrelationId]
	delete(r.waiting, raw.CorrelationId)
	r.mu.Unlock()
	if reply == nil {
		r.publisher.conn.stats.LateReplies.Add(1)
		return
	}
	r.publisher.conn.stats.Replies.Add(1)
	reply <- newDelivery(raw)
}
