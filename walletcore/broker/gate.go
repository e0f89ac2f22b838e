package broker

import "sync"

// gate lets everybody through while it is open. The zero value is open.
type gate struct {
	mu      sync.Mutex
	shut    bool
	reason  error
	changed chan struct{}
}

// close shuts the gate and reports whether it was open.
func (g *gate) close(reason error) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	was := g.shut
	g.shut, g.reason = true, reason
	if !was {
		g.flip()
	}
	return !was
}

func (g *gate) open() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.shut {
		g.shut, g.reason = false, nil
		g.flip()
	}
}

// state returns a channel that is closed when the state changes, and why the
// gate is shut: nil while it is open.
func (g *gate) state() (changed <-chan struct{}, reason error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.changed == nil {
		g.changed = make(chan struct{})
	}
	return g.changed, g.reason
}

func (g *gate) flip() {
	if g.changed != nil {
		close(g.changed)
	}
	g.changed = make(chan struct{})
}
