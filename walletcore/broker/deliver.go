package broker

import (
	"errors"
	"fmt"
	"runtime/debug"
	"time"
)

const maxRequeueDelay = 5 * time.Second

// deliver hands d to the handler and settles it.
func (r *round) deliver(d Delivery) {
	r.conn.stats.Delivered.Add(1)
	if len(d.Body) > r.opts.MaxBody {
		r.park(d, fmt.Sprintf("body of %d bytes is longer than %d", len(d.Body), r.opts.MaxBody))
		return
	}
	err := r.attempt(d)
	for err != nil {
		var unavailable *Unavailable
		if !errors.As(err, &unavailable) {
			break
		}
		resumed := r.pause(unavailable)
		if unavailable.Settled {
			r.ack(d)
			return
		}
		if !r.held(resumed) {
			return // unsettled: it comes again, here or elsewhere
		}
		err = r.attempt(d)
	}
	r.settle(d, err)
}

func (r *round) settle(d Delivery, err error) {
	var unprocessable *Unprocessable
	switch {
	case err == nil:
		r.ack(d)
	case errors.As(err, &unprocessable):
		r.park(d, unprocessable.Reason)
	default:
		r.opts.Logger.Warn("message failed and is given back", "err", err, "message_id", d.ID, "attempt", d.Attempt)
		r.requeue(d)
	}
}

// attempt turns a panic into an error: the broker counts it like any other
// failure, and the other messages go on.
func (r *round) attempt(d Delivery) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("handler panicked: %v", p)
			r.opts.Logger.Error("handler panicked", "panic", p, "message_id", d.ID, "stack", string(debug.Stack()))
		}
	}()
	return r.handle(r.work, d)
}

func (r *round) ack(d Delivery) {
	if r.lostAck(d, d.raw.Ack(false)) {
		return
	}
	r.conn.stats.Acked.Add(1)
}

// requeue gives d back, later and without holding a worker.
func (r *round) requeue(d Delivery) {
	delay := min(r.opts.RequeueDelay<<min(d.Attempt-1, 16), maxRequeueDelay)
	r.busy.Go(func() {
		timer := time.NewTimer(delay)
		defer timer.Stop()
		select {
		case <-timer.C:
		case <-r.stopping:
		case <-r.closed:
		}
		if !r.lostAck(d, d.raw.Reject(true)) {
			r.conn.stats.Requeued.Add(1)
		}
	})
}

// lostAck: the channel is gone, so the message comes again and is found done.
func (r *round) lostAck(d Delivery, err error) bool {
	if err == nil {
		return false
	}
	r.conn.stats.LostAcks.Add(1)
	r.opts.Logger.Debug("message could not be settled and comes again", "err", err, "message_id", d.ID)
	return true
}

// pause begins an outage, or joins the one that goes on.
func (r *round) pause(u *Unavailable) (resumed <-chan struct{}) {
	first, resumed := r.outage.begin(r.stopping)
	if first {
		r.conn.stats.Pauses.Add(1)
		r.opts.Logger.Warn("consuming pauses", "err", u.Err)
	}
	return resumed
}

// held waits for the end of the outage with the message in hand.
func (r *round) held(resumed <-chan struct{}) bool {
	select {
	case <-resumed:
		return true
	case <-r.closed:
	case <-r.stopping:
	}
	return false
}
