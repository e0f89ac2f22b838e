package broker

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/google/uuid"
	amqp "github.com/rabbitmq/amqp091-go"
)

// cancelTimeout is how long the broker may take to end the flow of deliveries.
const cancelTimeout = time.Second

// round is one channel of a consumer: the deliveries that it brought are
// settled on it or not at all.
type round struct {
	*consumer
	ch         *amqp.Channel
	tag        string
	deliveries <-chan amqp.Delivery
	closed     chan struct{} // closed when the channel is gone
	err        error         // why; set before closed is closed
	deaf       chan struct{} // closed when the broker did not answer the cancellation in time

	stopping <-chan struct{} // closed when consuming was told to stop
	work     context.Context // of handlers; ends when draining took too long
	abort    context.CancelFunc
	busy     sync.WaitGroup // workers and delayed returns
}

func newRound(ctx context.Context, u *consumer, ch *amqp.Channel) *round {
	r := &round{consumer: u, ch: ch, tag: uuid.NewString(), closed: make(chan struct{}), deaf: make(chan struct{}), stopping: ctx.Done()}
	r.work, r.abort = context.WithCancel(context.WithoutCancel(ctx))
	closes := ch.NotifyClose(make(chan *amqp.Error, 1))
	go func() {
		r.err = ErrClosed
		if err := <-closes; err != nil {
			r.err = err
		}
		close(r.closed)
	}()
	return r
}

// run works until deliveries end.
func (r *round) run(ctx context.Context) error {
	for range r.opts.Workers {
		r.busy.Go(r.takeAll)
	}
	idle := make(chan struct{})
	go func() { r.busy.Wait(); close(idle) }()
	paused := r.outage.begun()
	select {
	case <-idle: // the channel is gone, or the broker cancelled the consumer
		return r.ended()
	case <-paused:
		r.cancel()
		return r.wind(ctx, idle)
	case <-ctx.Done():
		r.cancel()
		return r.drain(idle)
	}
}

// takeAll handles one delivery after the other until there is none to come, or
// the broker is deaf.
func (r *round) takeAll() {
	for !r.isDeaf() {
		select {
		case raw, ok := <-r.deliveries:
			if !ok {
				return
			}
			r.deliver(newDelivery(raw, r.conn.user))
		case <-r.deaf:
			return
		}
	}
}

func (r *round) isDeaf() bool {
	select {
	case <-r.deaf:
		return true
	default:
		return false
	}
}

// wind lets what was delivered before a pause come to its end.
func (r *round) wind(ctx context.Context, idle <-chan struct{}) error {
	select {
	case <-idle:
		if err := r.ended(); !errors.Is(err, errCancelled) {
			return err
		}
		return errPaused
	case <-ctx.Done():
		return r.drain(idle)
	}
}

// drain gives handlers their time to finish. A handler that ignores its context
// is left behind.
func (r *round) drain(idle <-chan struct{}) error {
	timer := time.NewTimer(r.opts.DrainTimeout)
	defer timer.Stop()
	select {
	case <-idle:
		return nil
	case <-timer.C:
	}
	r.abort()
	timer.Reset(time.Second)
	select {
	case <-idle:
	case <-timer.C:
	}
	return ErrDrain
}

// cancel ends the flow of deliveries; the library hands out what it has and
// then closes the channel of deliveries. A broker that is short of memory reads
// neither this nor any acknowledgement: what no worker has in hand is left to
// come again.
func (r *round) cancel() {
	timer := time.AfterFunc(cancelTimeout, func() { close(r.deaf) })
	go func() {
		_ = r.ch.Cancel(r.tag, false)
		timer.Stop()
	}()
}

func (r *round) ended() error {
	if r.ch.IsClosed() {
		<-r.closed
		return r.err
	}
	return errCancelled
}

// end closes the channel. The broker takes back what was not settled.
func (r *round) end() {
	r.abort()
	done := make(chan struct{})
	go func() { _ = r.ch.Close(); close(done) }()
	timer := time.NewTimer(time.Second)
	defer timer.Stop()
	select {
	case <-done:
	case <-timer.C:
	}
}
