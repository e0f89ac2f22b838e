// Package health answers two questions of a service's platform: is the process
// alive, and may it get work?
package health

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"sync"
	"sync/atomic"
	"time"
)

// Check returns nil while the thing it looks at can be used. It must respect
// its context.
type Check func(ctx context.Context) error

// DefaultTimeout is how long the checks of one request may take together.
const DefaultTimeout = 3 * time.Second

// Checks are the named conditions under which a service is ready. The zero
// value has none and is ready. It is safe for concurrent use.
type Checks struct {
	mu       sync.RWMutex
	names    []string
	checks   map[string]Check
	draining atomic.Bool
}

// Register adds a check, such as "database". A second one under the same name
// replaces the first.
func (c *Checks) Register(name string, check Check) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.checks == nil {
		c.checks = map[string]Check{}
	}
	if _, known := c.checks[name]; !known {
		c.names = append(c.names, name)
	}
	c.checks[name] = check
}

// Drain makes the service not ready for good: it is stopping, and no new work
// should be sent to it.
func (c *Checks) Drain() { c.draining.Store(true) }

// Result is what one check found.
type Result struct {
	Name  string `json:"name"`
	OK    bool   `json:"ok"`
	Error string `json:"error,omitempty"`
}

// Run runs every check at the same time and returns their results in the order
// of registration, and whether all is well. A check that panics or does not
// return in time has failed.
func (c *Checks) Run(ctx context.Context) ([]Result, bool) {
	c.mu.RLock()
	defer c.mu.RUnlock()
	results := make([]Result, len(c.names))
	var wg sync.WaitGroup
	for i, name := range c.names {
		check := c.checks[name]
		wg.Go(func() { results[i] = run(ctx, name, check) })
	}
	wg.Wait()
	if c.draining.Load() {
		results = append(results, Result{Name: "stopping", Error: "the service is stopping"})
	}
	ready := true
	for _, r := range results {
		ready = ready && r.OK
	}
	return results, ready
}

func run(ctx context.Context, name string, check Check) Result {
	done := make(chan error, 1)
	go func() {
		defer func() {
			if r := recover(); r != nil {
				done <- fmt.Errorf("panic: %v", r)
			}
		}()
		done <- check(ctx)
	}()
	var err error
	select {
	case err = <-done:
	case <-ctx.Done():
		err = fmt.Errorf("no answer in time: %w", ctx.Err())
	}
	if err != nil {
		return Result{Name: name, Error: err.Error()}
	}
	return Result{Name: name, OK: true}
}

// Live answers GET /livez: 200 for as long as the process can answer at all. It
// looks at nothing else, since a restart does not mend a database.
func Live(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	_, _ = w.Write([]byte("ok\n"))
}

// ServeHTTP answers GET /readyz: 200 when every check is well, else 503, with
// each check's result.
func (c *Checks) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	ctx, cancel := context.WithTimeout(r.Context(), DefaultTimeout)
	defer cancel()
	results, ready := c.Run(ctx)
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	if !ready {
		w.WriteHeader(http.StatusServiceUnavailable)
	}
	_ = json.NewEncoder(w).Encode(map[string]any{"ready": ready, "checks": results})
}
