package endtoend_test

import (
	"fmt"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"github.com/google/uuid"
)

// traffic is sites and gateways at work: they create deposits and confirm them,
// and send again what was not answered, as their contract says.
type traffic struct {
	p      *platform
	stop   chan struct{}
	wait   sync.WaitGroup
	begun  atomic.Int64
	vain   atomic.Int64 // requests that were not answered, or with "not now"
	mu     sync.Mutex
	paid   []deposit
	failed error
}

// startTraffic has so many at work at the same time, each for a player of its
// own.
func (p *platform) startTraffic(sites int) *traffic {
	flow := &traffic{p: p, stop: make(chan struct{})}
	for site := range sites {
		flow.wait.Go(func() { flow.run(fmt.Sprintf("u-%d", site)) })
	}
	p.t.Cleanup(func() { flow.end() })
	return flow
}

func (f *traffic) run(user string) {
	for {
		select {
		case <-f.stop:
			return
		case <-time.After(20 * time.Millisecond):
		}
		d, err := f.one(user)
		f.mu.Lock()
		if err != nil {
			f.failed = err
		} else {
			f.paid = append(f.paid, d)
		}
		f.mu.Unlock()
	}
}

// one sees a deposit through to its webhook being taken.
func (f *traffic) one(user string) (deposit, error) {
	f.begun.Add(1)
	key, d := uuid.NewString(), deposit{}
	err := f.persist(func() (err error) {
		d, err = f.p.tryCreate(order{user: user, amount: "1"}, key)
		return err
	})
	if err != nil {
		return d, err
	}
	body := paid(d).body()
	return d, f.persist(func() error {
		a, err := f.p.webhook(d.Gateway+"/"+d.Account, body)
		if err == nil && a.status != http.StatusOK {
			err = fmt.Errorf("webhook: %d %s", a.status, a.body)
		}
		return err
	})
}

// persist tries until it works.
func (f *traffic) persist(try func() error) error {
	deadline := time.Now().Add(patience)
	for {
		err := try()
		if err == nil || time.Now().After(deadline) {
			return err
		}
		f.vain.Add(1)
		time.Sleep(100 * time.Millisecond)
	}
}

// await returns when so many more deposits were begun.
func (f *traffic) await(more int) {
	f.p.t.Helper()
	want := f.begun.Load() + int64(more)
	await(f.p.t, "traffic to flow", func() bool { return f.begun.Load() >= want })
}

// awaitTrouble returns when somebody finds out that a server is away.
func (f *traffic) awaitTrouble() {
	f.p.t.Helper()
	had := f.vain.Load()
	await(f.p.t, "a request to be in vain", func() bool { return f.vain.Load() > had })
}

// end stops the traffic and returns the deposits whose webhooks were taken.
func (f *traffic) end() []deposit {
	select {
	case <-f.stop:
	default:
		close(f.stop)
	}
	f.wait.Wait()
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.paid
}
