package broker

import (
	"context"
	"errors"
	"sync/atomic"
	"time"

	amqp "github.com/rabbitmq/amqp091-go"
)

// PublisherOptions of a Publisher.
type PublisherOptions struct {
	// Exchanges must exist before anything is sent; while one is missing,
	// publishing fails at once. Others are not looked at, and a message to one
	// that is missing fails everything in flight on this publisher.
	Exchanges []string
}

// Publisher publishes on one channel of a connection. It is safe for
// concurrent use and ends with its Conn.
type Publisher struct {
	conn     *Conn
	mode     laneMode
	requests chan *publication
	sequence atomic.Int64
}

// NewPublisher returns a publisher on c.
func NewPublisher(c *Conn, opts PublisherOptions) *Publisher {
	return newPublisher(c, laneMode{exchanges: opts.Exchanges, confirm: true})
}

func newPublisher(c *Conn, mode laneMode) *Publisher {
	p := &Publisher{conn: c, mode: mode, requests: make(chan *publication)}
	go p.run()
	return p
}

// Publish sends m and waits until the broker has it. The error is one of those
// that the package documentation lists. Without a connection, or while the
// broker takes no messages, it waits until ctx ends.
func (p *Publisher) Publish(ctx context.Context, m Message) error {
	sent, err := p.send(ctx, m)
	if err == nil {
		err = sent.confirmed(ctx)
	}
	p.count(err)
	return err
}

// send returns when m was written. A channel that was found closed before that
// is no reason to give up: the next one will do.
func (p *Publisher) send(ctx context.Context, m Message) (*publication, error) {
	if err := m.check(); err != nil {
		return nil, &NotSentError{Err: err}
	}
	for {
		sent, err := p.hand(ctx, m)
		if !errors.Is(err, amqp.ErrClosed) {
			return sent, err
		}
	}
}

// hand gives m to the goroutine that writes.
func (p *Publisher) hand(ctx context.Context, m Message) (*publication, error) {
	sent := &publication{message: m, sequence: p.sequence.Add(1), taken: make(chan error, 1)}
	select {
	case p.requests <- sent:
	case <-ctx.Done():
		return nil, &NotSentError{Err: p.whyWaiting(ctx)}
	case <-p.conn.ctx.Done():
		return nil, &NotSentError{Err: ErrClosed}
	}
	select {
	case err := <-sent.taken:
		return sent, err
	case <-ctx.Done():
		go sent.abandon()
		return nil, &UnconfirmedError{Err: ctx.Err()}
	}
}

func (p *Publisher) whyWaiting(ctx context.Context) error {
	if err := p.conn.Healthy(); err != nil {
		return errors.Join(ctx.Err(), err)
	}
	return ctx.Err()
}

// run is the only goroutine that writes: writing may block, and callers must
// not.
func (p *Publisher) run() {
	wait := backoff{first: p.conn.opts.FirstRetry, most: p.conn.opts.MaxRetry}
	for {
		s, err := p.conn.session(p.conn.ctx)
		if err != nil {
			return
		}
		l, err := openLane(p.conn.ctx, s, p.mode)
		if err == nil {
			wait.reset()
			p.serve(s, l)
			continue
		}
		if p.conn.ctx.Err() != nil {
			return
		}
		p.conn.opts.Logger.Warn("broker channel for publishing cannot be opened", "err", err)
		p.refuse(err, wait.step())
	}
}

// serve writes what callers hand over until the channel is gone.
func (p *Publisher) serve(s *session, l *lane) {
	broken := false
	for {
		requests := p.requests
		changed, blocked := s.blocked.state()
		if blocked != nil || broken {
			requests = nil // what is written now would hang in the socket, or fail
		}
		select {
		case sent := <-requests:
			broken = !l.publish(sent)
		case <-changed:
		case <-l.closed:
			p.logEnd(l)
			return
		case <-p.conn.ctx.Done():
			return
		}
	}
}

// logEnd tells of a channel that the broker closed. The loss of a connection is
// told by the Conn.
func (p *Publisher) logEnd(l *lane) {
	var reply *amqp.Error
	if errors.As(l.err, &reply) && reply.Server && reply.Recover {
		p.conn.opts.Logger.Warn("broker channel for publishing was closed", "err", l.err)
	}
}

// refuse waits, and meanwhile answers callers at once where the broker said no:
// an exchange is missing. Where the connection was lost they wait for the next.
func (p *Publisher) refuse(err error, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	var reply *amqp.Error
	requests := p.requests
	if !errors.As(err, &reply) || !reply.Server || reply.Code == amqp.ConnectionForced {
		requests = nil
	}
	for {
		select {
		case sent := <-requests:
			sent.taken <- &NotSentError{Err: err}
		case <-timer.C:
			return
		case <-p.conn.ctx.Done():
			return
		}
	}
}

func (p *Publisher) count(err error) {
	stats := &p.conn.stats
	var returned *ReturnedError
	var unconfirmed *UnconfirmedError
	switch {
	case err == nil:
		stats.Confirmed.Add(1)
	case errors.As(err, &returned):
		stats.Returned.Add(1)
	case errors.As(err, &unconfirmed):
		stats.Unconfirmed.Add(1)
	case errors.Is(err, ErrNacked):
		stats.Nacked.Add(1)
	}
}
