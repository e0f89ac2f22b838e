package replay

import (
	"context"
	"time"
)

// run is one bulk replay. One goroutine begins replays, the other looks after
// all that were begun with one query for many.
type run struct {
	desk    *Desk
	o       RunOptions
	places  chan struct{} // taken by what was begun and has not ended
	waiting []*waiting
	results []Result
}

type waiting struct {
	sent  Sent
	until time.Time
}

type begun struct {
	sent Sent
	err  error
}

// begin sends one after another, until ctx ends or one cannot be sent, and then
// closes the channel.
func (r *run) begin(ctx context.Context) <-chan begun {
	sent := make(chan begun)
	r.places = make(chan struct{}, r.o.InFlight)
	go func() {
		defer close(sent)
		ticker := time.NewTicker(time.Second / time.Duration(r.o.Rate))
		defer ticker.Stop()
		for _, subject := range r.o.Subjects {
			select {
			case <-ctx.Done():
				return
			case r.places <- struct{}{}:
			}
			select {
			case <-ctx.Done():
				return
			case <-ticker.C:
			}
			b := r.sendOne(ctx, subject)
			sent <- b
			if b.err != nil {
				return
			}
		}
	}()
	return sent
}

// sendTimeout is how long one may take to be asked for: a row may be locked, a
// connection has to be made.
const sendTimeout = 10 * time.Second

func (r *run) sendOne(ctx context.Context, subject Subject) begun {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), sendTimeout)
	defer cancel()
	sent, err := r.desk.Send(ctx, subject, r.o.Why)
	return begun{sent, err}
}

// follow returns when all that was begun has ended, with the error that kept
// the others from being begun.
func (r *run) follow(ctx context.Context, sent <-chan begun) (err error) {
	ticker := time.NewTicker(pollEvery)
	defer ticker.Stop()
	for sent != nil || len(r.waiting) > 0 {
		select {
		case b, open := <-sent:
			switch {
			case !open:
				sent = nil
			case b.err != nil:
				err = b.err
			default:
				r.waiting = append(r.waiting, &waiting{sent: b.sent, until: time.Now().Add(r.o.Timeout)})
			}
		case <-ticker.C:
			r.look(ctx)
		}
	}
	return err
}

// look takes out what has ended, and what has taken too long.
func (r *run) look(ctx context.Context) {
	if len(r.waiting) == 0 {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, sendTimeout)
	defer cancel()
	sent := make([]*Sent, len(r.waiting))
	for i, w := range r.waiting {
		sent[i] = &w.sent
	}
	results, err := r.desk.look(ctx, sent)
	still := r.waiting[:0]
	for i, w := range r.waiting {
		switch {
		case err == nil && !results[i].Outcome.Pending():
			r.end(results[i])
		case time.Now().After(w.until):
			r.end(timedOut(&w.sent, err))
		default:
			still = append(still, w)
		}
	}
	clear(r.waiting[len(still):])
	r.waiting = still
}

func (r *run) end(result Result) {
	<-r.places
	r.results = append(r.results, result)
	r.o.Progress(result, len(r.results), len(r.o.Subjects))
}
