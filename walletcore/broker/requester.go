package broker

import (
	"context"
	"errors"
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
	r.publisher = newPublisher(c, laneMode{exchanges: opts.Exchanges, confirm: true, onReply: r.receive})
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
	defer sent.lane.forget(sent)
	d, err := sent.answer(ctx, reply)
	var unanswered *NoReplyError
	if !errors.As(err, &unanswered) {
		r.publisher.count(err)
	}
	return d, err
}

// answer waits for the reply, or returns why none can come. A reply says more
// than a confirmation, and may overtake it.
func (p *publication) answer(ctx context.Context, reply <-chan Delivery) (Delivery, error) {
	confirmed := p.confirmation.Done()
	for {
		var err error
		select {
		case d := <-reply:
			return d, nil
		case <-confirmed:
			confirmed, err = nil, p.verdict()
		case <-p.lane.closed:
			err = p.unanswered(p.lane.err)
		case <-ctx.Done():
			err = p.unanswered(ctx.Err())
		}
		if err == nil {
			continue
		}
		select {
		case d := <-reply:
			return d, nil
		default:
			return Delivery{}, err
		}
	}
}

// unanswered says how far a request came that gets no reply.
func (p *publication) unanswered(err error) error {
	if p.confirmation.Acked() {
		return &NoReplyError{Err: err}
	}
	return &UnconfirmedError{Err: err}
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
	reply <- newDelivery(raw, r.publisher.conn.user)
}
