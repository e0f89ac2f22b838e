package broker

import (
	"context"

	amqp "github.com/rabbitmq/amqp091-go"
)

// publication is one message on its way to the broker.
type publication struct {
	message  Message
	sequence int64
	taken    chan error // receives once the message was written, or could not be

	// Set before taken receives.
	lane         *lane
	confirmation *amqp.DeferredConfirmation

	returned *ReturnedError // guarded by the lane's mutex
}

// abandon forgets a publication whose caller has gone before it was written.
func (p *publication) abandon() {
	if err := <-p.taken; err == nil {
		p.lane.forget(p)
	}
}

// confirmed waits for the broker's word.
func (p *publication) confirmed(ctx context.Context) error {
	defer p.lane.forget(p)
	select {
	case <-p.confirmation.Done():
		return p.verdict()
	case <-ctx.Done():
		return &UnconfirmedError{Err: ctx.Err()}
	}
}

// verdict is the broker's word once it has come.
func (p *publication) verdict() error {
	if p.confirmation.Acked() {
		if returned := p.lane.returnOf(p); returned != nil {
			return returned
		}
		return nil
	}
	// The library ends pending confirmations as refused when a channel closes.
	if p.lane.ch.IsClosed() {
		return &UnconfirmedError{Err: p.lane.end()}
	}
	return ErrNacked
}
