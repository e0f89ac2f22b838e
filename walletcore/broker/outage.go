package broker

import (
	"context"
	"sync"
	"time"
)

const probeTimeout = 5 * time.Second

// outage is the time during which a consumer pauses. One goroutine probes,
// however many handlers found out.
type outage struct {
	probe func(context.Context) error
	wait  backoff

	mu      sync.Mutex
	start   chan struct{} // closed when an outage begins
	resumed chan struct{} // closed when it ends; nil while there is none
	last    time.Time     // when the last one ended
}

func newOutage(opts *ConsumerOptions) *outage {
	return &outage{
		probe: opts.Probe,
		wait:  backoff{first: opts.FirstProbe, most: opts.MaxProbe},
		start: make(chan struct{}),
	}
}

// begin starts an outage where there is none, and returns what is closed when
// it is over. Probing ends with stop.
func (o *outage) begin(stop <-chan struct{}) (first bool, resumed <-chan struct{}) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.resumed != nil {
		return false, o.resumed
	}
	if time.Since(o.last) > settled {
		o.wait.reset()
	}
	o.resumed = make(chan struct{})
	close(o.start)
	go o.probeUntilUp(stop)
	return true, o.resumed
}

// begun returns a channel that is closed while there is an outage.
func (o *outage) begun() <-chan struct{} {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.start
}

// over waits for the end of the outage, if there is one, or of ctx.
func (o *outage) over(ctx context.Context) {
	o.mu.Lock()
	resumed := o.resumed
	o.mu.Unlock()
	if resumed == nil {
		return
	}
	select {
	case <-resumed:
	case <-ctx.Done():
	}
}

func (o *outage) probeUntilUp(stop <-chan struct{}) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	go func() {
		select {
		case <-stop:
			cancel()
		case <-ctx.Done():
		}
	}()
	for o.wait.wait(ctx) {
		if o.up(ctx) {
			o.finish()
			return
		}
	}
}

func (o *outage) up(ctx context.Context) bool {
	if o.probe == nil {
		return true
	}
	ctx, cancel := context.WithTimeout(ctx, probeTimeout)
	defer cancel()
	return o.probe(ctx) == nil
}

func (o *outage) finish() {
	o.mu.Lock()
	defer o.mu.Unlock()
	close(o.resumed)
	o.resumed, o.start, o.last = nil, make(chan struct{}), time.Now()
}
