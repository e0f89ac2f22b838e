package broker

import (
	"context"
	"errors"
	"fmt"
	"net"
	"time"

	amqp "github.com/rabbitmq/amqp091-go"
)

// session is one connection, from its handshake to its loss. It is never
// revived.
type session struct {
	conn    *amqp.Connection
	wire    *wire
	gone    chan struct{} // closed when the connection is lost or closed
	err     error         // why; set before gone is closed
	blocked gate          // shut while the broker takes no messages
}

// openSession connects and shakes hands within ctx.
func openSession(ctx context.Context, url string, opts Options) (*session, error) {
	ctx, cancel := context.WithTimeout(ctx, opts.ConnectTimeout)
	defer cancel()
	s := &session{gone: make(chan struct{})}
	properties := amqp.NewConnectionProperties()
	properties["product"] = "walletctl"
	properties.SetClientConnectionName(opts.Name)
	var stop func() bool
	var err error
	s.conn, err = amqp.DialConfig(url, amqp.Config{
		Heartbeat:  opts.Heartbeat,
		Properties: properties,
		Dial: func(network, address string) (net.Conn, error) {
			var err error
			if s.wire, err = dialWire(ctx, network, address); err != nil {
				return nil, err
			}
			stop = context.AfterFunc(ctx, func() { _ = s.wire.Close() })
			return s.wire, nil
		},
	})
	if stop != nil && !stop() && err == nil {
		err = ctx.Err()
	}
	if err != nil {
		s.kill()
		if ctx.Err() != nil {
			err = fmt.Errorf("%w: %w", ctx.Err(), err)
		}
		return nil, err
	}
	s.watch()
	return s, nil
}

// watch keeps the library's notifications drained, which it needs, and turns
// them into state.
func (s *session) watch() {
	blockings := s.conn.NotifyBlocked(make(chan amqp.Blocking, 8))
	closes := s.conn.NotifyClose(make(chan *amqp.Error, 1))
	go func() {
		for b := range blockings {
			if b.Active {
				s.blocked.close(fmt.Errorf("the broker takes no messages: %s", b.Reason))
			} else {
				s.blocked.open()
			}
		}
	}()
	go func() {
		s.err = ErrClosed
		if err := <-closes; err != nil {
			s.err = err
		}
		close(s.gone)
	}()
}

func (s *session) alive() bool {
	select {
	case <-s.gone:
		return false
	default:
		return true
	}
}

// lostBy reports whether a call failed because the connection went away, and
// not because of what it asked for.
func (s *session) lostBy(err error) bool {
	var reply *amqp.Error
	if !s.conn.IsClosed() || !errors.As(err, &reply) {
		return false
	}
	return !reply.Server || reply.Code == amqp.InternalError || reply.Code == amqp.ConnectionForced
}

// kill closes the socket, whatever else goes on.
func (s *session) kill() {
	if s.wire != nil {
		_ = s.wire.Close()
	}
}

// close says goodbye and returns by the deadline.
func (s *session) close(deadline time.Time) error {
	abort := time.AfterFunc(time.Until(deadline), s.kill)
	defer abort.Stop()
	err := s.conn.CloseDeadline(deadline)
	s.kill()
	if errors.Is(err, amqp.ErrClosed) {
		return nil
	}
	return err
}

// channel opens a channel. It waits no longer than ctx; a channel that opens
// afterwards ends with the session.
func (s *session) channel(ctx context.Context) (*amqp.Channel, error) {
	var ch *amqp.Channel
	err := s.await(ctx, func() (err error) {
		ch, err = s.conn.Channel()
		return err
	})
	if err != nil {
		return nil, err
	}
	return ch, nil
}

// await runs a call of the library, which knows no context, and returns when
// it does or when ctx ends, whichever is first.
func (s *session) await(ctx context.Context, call func() error) error {
	done := make(chan error, 1)
	go func() { done <- call() }()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}
