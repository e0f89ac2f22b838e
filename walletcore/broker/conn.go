package broker

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"sync"
	"time"

	amqp "github.com/rabbitmq/amqp091-go"
)

// Conn keeps a connection to the broker up. It is safe for concurrent use.
type Conn struct {
	url   string
	user  string
	opts  Options
	stats Stats
	ctx   context.Context // ends with Close
	stop  context.CancelFunc
	done  chan struct{} // closed when the supervisor has ended

	mu         sync.Mutex
	current    *session
	changed    chan struct{} // closed and replaced with each session
	lost       error         // why there is no session
	topologies []Topology
	faults     map[string]error
}

// Dial connects. It tries until ctx ends, unless the broker refuses the login
// or the host: that is returned at once. The connection comes back by itself
// until Close. Errors never hold the password.
func Dial(ctx context.Context, url string, opts Options) (*Conn, error) {
	if err := opts.Validate(); err != nil {
		return nil, err
	}
	opts.setDefaults()
	uri, err := amqp.ParseURI(url)
	if err != nil {
		// The parser's own error quotes the URL.
		return nil, errors.New("broker URL is malformed. Try: amqp://user:password@host:5672/vhost, with reserved characters percent-encoded")
	}
	c := &Conn{url: url, user: uri.Username, opts: opts, changed: make(chan struct{}), done: make(chan struct{}), faults: map[string]error{}}
	c.ctx, c.stop = context.WithCancel(context.Background())
	first, err := c.connect(ctx, true)
	if err != nil {
		c.stop()
		return nil, fmt.Errorf("connect to the broker: %w", err)
	}
	c.setSession(first)
	go c.supervise(first)
	return c, nil
}

// User returns the name that the connection logs in with.
func (c *Conn) User() string { return c.user }

// Stats returns the counters of this connection.
func (c *Conn) Stats() *Stats { return &c.stats }

// Healthy says why messages do not flow now: no connection, a broker that takes
// none, a consumer that cannot consume. It is nil when they do.
func (c *Conn) Healthy() error {
	if c.ctx.Err() != nil {
		return ErrClosed
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.current == nil || !c.current.alive() {
		return fmt.Errorf("no connection to the broker: %w", c.why())
	}
	_, blocked := c.current.blocked.state()
	all := []error{blocked}
	for _, fault := range c.faults {
		all = append(all, fault)
	}
	return errors.Join(all...)
}

// Close ends the connection. It returns by ctx's deadline, or after the close
// timeout of the options, even while the broker reads nothing.
func (c *Conn) Close(ctx context.Context) error {
	c.stop()
	deadline, ok := ctx.Deadline()
	if !ok {
		deadline = time.Now().Add(c.opts.CloseTimeout)
	}
	<-c.done
	c.mu.Lock()
	s := c.current
	c.mu.Unlock()
	if s == nil || !s.alive() {
		return nil
	}
	err := s.close(deadline)
	if errors.Is(err, os.ErrDeadlineExceeded) || errors.Is(err, net.ErrClosed) {
		return fmt.Errorf("close the connection to the broker: %w", err)
	}
	return nil // any other failure means that it is gone already
}

// supervise replaces lost sessions until Close.
func (c *Conn) supervise(s *session) {
	defer close(c.done)
	for {
		select {
		case <-c.ctx.Done():
			return
		case <-s.gone:
		}
		c.opts.Logger.Warn("broker connection lost", "err", s.err)
		c.setLost(s.err)
		next, err := c.connect(c.ctx, false)
		if err != nil {
			return
		}
		c.opts.Logger.Info("broker connection is back")
		c.restore(c.ctx, next)
		c.setSession(next)
		s = next
	}
}

// connect tries until ctx ends. When strict, what will not heal by waiting is
// returned at once.
func (c *Conn) connect(ctx context.Context, strict bool) (*session, error) {
	wait := backoff{first: c.opts.FirstRetry, most: c.opts.MaxRetry}
	for {
		s, err := openSession(ctx, c.url, c.opts)
		if err == nil {
			c.stats.Connects.Add(1)
			return s, nil
		}
		if strict && isRefusal(err) {
			return nil, err
		}
		c.setLost(err)
		c.opts.Logger.Warn("broker cannot be reached", "err", err)
		if !wait.wait(ctx) {
			return nil, errors.Join(ctx.Err(), err)
		}
	}
}

// isRefusal: the login is wrong or has no right to the host.
func isRefusal(err error) bool {
	var reply *amqp.Error
	return errors.As(err, &reply) && (reply.Code == amqp.AccessRefused || reply.Code == amqp.NotAllowed)
}

// session returns the live session, or waits for one until ctx ends.
func (c *Conn) session(ctx context.Context) (*session, error) {
	for {
		c.mu.Lock()
		s, changed := c.current, c.changed
		c.mu.Unlock()
		if c.ctx.Err() != nil {
			return nil, ErrClosed
		}
		if s != nil && s.alive() {
			return s, nil
		}
		select {
		case <-changed:
		case <-c.ctx.Done():
		case <-ctx.Done():
			return nil, c.noSession(ctx)
		}
	}
}

func (c *Conn) noSession(ctx context.Context) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return fmt.Errorf("%w: no connection to the broker: %w", ctx.Err(), c.why())
}

// why needs c.mu.
func (c *Conn) why() error {
	if c.lost == nil {
		return errors.New("lost")
	}
	return c.lost
}

func (c *Conn) setSession(s *session) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.current, c.lost = s, nil
	close(c.changed)
	c.changed = make(chan struct{})
}

func (c *Conn) setLost(err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.lost = err
}

// setFault records what keeps a part of this connection from working; nil
// clears it.
func (c *Conn) setFault(part string, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if err == nil {
		delete(c.faults, part)
		return
	}
	c.faults[part] = fmt.Errorf("%s: %w", part, err)
}
