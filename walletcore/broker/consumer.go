package broker

import (
	"context"
	"errors"
	"fmt"
	"time"

	amqp "github.com/rabbitmq/amqp091-go"
)

// settled is how long a round must have lived for its end to count as news
// rather than as the same trouble again.
const settled = 10 * time.Second

// errCancelled: the broker ended the consumer, for example because its queue
// was deleted.
var errCancelled = errors.New("consumer was cancelled by the broker")

// errPaused: the round ended because of an outage.
var errPaused = errors.New("consuming pauses")

// consumer is one call of Consume.
type consumer struct {
	conn   *Conn
	opts   ConsumerOptions
	handle Handler
	parker *Publisher
	outage *outage
}

// Consume hands the queue's messages to handle until ctx ends, and resumes by
// itself whatever happens to the connection, the channel or the queue. When ctx
// ends it takes nothing new, finishes what was delivered, and returns nil, or
// ErrDrain where that took too long.
func (c *Conn) Consume(ctx context.Context, opts ConsumerOptions, handle Handler) error {
	if err := opts.Validate(); err != nil {
		return err
	}
	opts.setDefaults(c)
	u := &consumer{conn: c, opts: opts, handle: handle}
	u.parker = NewPublisher(c, PublisherOptions{})
	u.outage = newOutage(&opts)
	defer c.setFault(u.part(), nil)
	wait := backoff{first: c.opts.FirstRetry, most: c.opts.MaxRetry}
	for {
		u.outage.over(ctx)
		started := time.Now()
		err := u.round(ctx)
		switch {
		case errors.Is(err, ErrDrain):
			return err
		case ctx.Err() != nil || c.ctx.Err() != nil:
			return nil
		case errors.Is(err, errPaused):
			continue
		}
		if time.Since(started) > settled {
			wait.reset()
		}
		u.conn.setFault(u.part(), err)
		u.opts.Logger.Warn("consuming stopped and will resume", "err", err)
		if !wait.wait(ctx) {
			return nil
		}
		u.redeclare(ctx)
	}
}

func (u *consumer) part() string { return "consumer of " + u.opts.Queue }

// redeclare brings a queue back that somebody deleted.
func (u *consumer) redeclare(ctx context.Context) {
	if s, err := u.conn.session(ctx); err == nil {
		u.conn.restore(ctx, s)
	}
}

// round consumes on one channel until that channel, the consumer or ctx ends,
// or consuming pauses.
func (u *consumer) round(ctx context.Context) error {
	s, err := u.conn.session(ctx)
	if err != nil {
		return err
	}
	ch, err := s.channel(ctx)
	if err != nil {
		return fmt.Errorf("open channel: %w", err)
	}
	r := newRound(ctx, u, ch)
	defer r.end()
	if err := s.await(ctx, r.subscribe); err != nil {
		return err
	}
	u.conn.setFault(u.part(), nil)
	u.opts.Logger.Debug("consuming")
	return r.run(ctx)
}

// subscribe starts the flow of deliveries.
func (r *round) subscribe() (err error) {
	if err := r.ch.Qos(r.opts.Prefetch, 0, false); err != nil {
		return fmt.Errorf("set prefetch: %w", err)
	}
	r.deliveries, err = r.ch.Consume(r.opts.Queue, r.tag, false, false, false, false, amqp.Table{})
	if err != nil {
		return fmt.Errorf("consume: %w", err)
	}
	return nil
}
