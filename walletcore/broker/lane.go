package broker

import (
	"context"
	"errors"
	"sync"

	amqp "github.com/rabbitmq/amqp091-go"
)

// replyQueue is the pseudo-queue of direct reply-to: replies come on the
// channel that published the request, and are lost with it.
const replyQueue = "amq.rabbitmq.reply-to"

// lane is a channel for publishing, from its opening to its end.
type lane struct {
	ch      *amqp.Channel
	closed  chan struct{} // closed when the channel is gone
	err     error         // why; set before closed is closed
	settle  chan struct{} // a turn of the goroutine that records returns
	drained chan struct{} // closed when every return was recorded

	mu      sync.Mutex
	pending map[int64]*publication
}

// laneMode is what a lane is opened for.
type laneMode struct {
	// exchanges must exist: publishing to one that does not closes the channel
	// under everybody who uses it.
	exchanges []string
	confirm   bool
	onReply   func(amqp.Delivery) // nil: no replies
}

// openLane opens a channel for publishing.
func openLane(ctx context.Context, s *session, mode laneMode) (*lane, error) {
	ch, err := s.channel(ctx)
	if err != nil {
		return nil, err
	}
	l := &lane{
		ch:      ch,
		closed:  make(chan struct{}),
		settle:  make(chan struct{}),
		drained: make(chan struct{}),
		pending: map[int64]*publication{},
	}
	l.watch()
	err = s.await(ctx, func() error { return l.prepare(mode) })
	if err != nil {
		go ch.Close()
		return nil, err
	}
	return l, nil
}

func (l *lane) prepare(mode laneMode) error {
	for _, name := range mode.exchanges {
		if err := l.ch.ExchangeDeclarePassive(name, "", true, false, false, false, nil); err != nil {
			return err
		}
	}
	if mode.confirm {
		if err := l.ch.Confirm(false); err != nil {
			return err
		}
	}
	if mode.onReply == nil {
		return nil
	}
	replies, err := l.ch.Consume(replyQueue, "", true, false, false, false, nil)
	if err != nil {
		return err
	}
	go func() {
		for reply := range replies {
			mode.onReply(reply)
		}
	}()
	return nil
}

// watch records the channel's end and its returned messages. The channel of
// returns is unbuffered on purpose: the library has handed a return over before
// it reads the confirmation that follows, so one turn of this goroutine after a
// confirmation means that the return was recorded.
func (l *lane) watch() {
	returns := l.ch.NotifyReturn(make(chan amqp.Return))
	closes := l.ch.NotifyClose(make(chan *amqp.Error, 1))
	go func() {
		defer close(l.drained)
		for {
			select {
			case r, ok := <-returns:
				if !ok {
					return
				}
				l.recordReturn(r)
			case <-l.settle:
			}
		}
	}()
	go func() {
		l.err = ErrClosed
		if err := <-closes; err != nil {
			l.err = err
		}
		close(l.closed)
	}()
}

func (l *lane) recordReturn(r amqp.Return) {
	sequence, _ := r.Headers[headerSequence].(int64)
	l.mu.Lock()
	defer l.mu.Unlock()
	if p := l.pending[sequence]; p != nil {
		p.returned = &ReturnedError{Exchange: r.Exchange, Key: r.RoutingKey, Code: int(r.ReplyCode), Reason: r.ReplyText}
	}
}

// publish writes p and reports whether the channel is still good for more. It
// blocks while the broker reads nothing.
func (l *lane) publish(p *publication) bool {
	p.lane = l
	l.mu.Lock()
	l.pending[p.sequence] = p
	l.mu.Unlock()
	confirmation, err := l.ch.PublishWithDeferredConfirm(
		p.message.Exchange, p.message.Key, !p.message.Optional, false, p.message.publishing(p.sequence))
	p.confirmation = confirmation
	if err != nil {
		l.forget(p)
	}
	p.taken <- sendError(err)
	return err == nil
}

// sendError: only a channel that was closed before the last frame is sure not
// to have sent the message.
func sendError(err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, amqp.ErrClosed):
		return &NotSentError{Err: err}
	}
	return &UnconfirmedError{Err: err}
}

func (l *lane) forget(p *publication) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.pending, p.sequence)
}

// returnOf returns the return of a confirmed publication, if there was one.
func (l *lane) returnOf(p *publication) *ReturnedError {
	select {
	case l.settle <- struct{}{}:
	case <-l.drained:
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	return p.returned
}

// end says why the channel is gone.
func (l *lane) end() error {
	<-l.closed
	return l.err
}
