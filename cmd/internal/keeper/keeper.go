// Package keeper takes a service's dead letters off the broker and keeps them in
// its database.
package keeper

import (
	"context"
	"errors"
	"log/slog"
	"math"
	"sync/atomic"
	"time"

	"github.com/walletctl/walletctl/cmd/internal/metrics"
	"github.com/walletctl/walletctl/walletcore/broker"
	"github.com/walletctl/walletctl/walletcore/deadletter"
)

// Options of Run.
type Options struct {
	Exchange string // of dead letters
	Queue    string // behind it
	Store    *deadletter.Store
	// Probe says whether the database can be reached again after an outage.
	Probe        func(ctx context.Context) error
	DrainTimeout time.Duration // how long letters in hand may go on after ctx ends
	Logger       *slog.Logger
	Kept         *atomic.Int64    // where set, counts the letters that were kept
	Now          func() time.Time // time.Now by default
}

// Counter is the metric of what was kept.
func Counter(kept *atomic.Int64) metrics.Counter {
	return metrics.Counter{Name: "dead_letters_kept_total", Help: "Dead letters that this process kept for a person.", Value: kept}
}

// Run keeps dead letters until ctx ends. A letter is acknowledged once it is
// committed; whatever fails before that, it stays in its queue and consuming
// pauses. The error is a *broker.TopologyError.
func Run(ctx context.Context, conn *broker.Conn, o Options) error {
	if o.Now == nil {
		o.Now = time.Now
	}
	if err := conn.Declare(ctx, broker.DeadLetters(o.Exchange, o.Queue)); err != nil {
		if ctx.Err() != nil {
			return nil
		}
		return err
	}
	return conn.Consume(ctx, broker.ConsumerOptions{
		Queue: o.Queue, DeadLetter: o.Exchange, Probe: o.Probe, DrainTimeout: o.DrainTimeout, Logger: o.Logger,
		// A dead letter may be as long as the broker allows: few are held at once.
		Workers: 2, Prefetch: 4, MaxBody: math.MaxInt,
	}, o.keep)
}

// keep never gives a letter back, which would count against it, nor up: there
// is no other place for it. Where the database does not take it, it is held.
func (o *Options) keep(ctx context.Context, d broker.Delivery) error {
	isNew, err := o.Store.Keep(ctx, letter(&d, o.Now()))
	if err != nil {
		o.Logger.Error("dead letter cannot be kept and stays in its queue", "error", err, "message_id", d.ID)
		return &broker.Unavailable{Err: err}
	}
	if isNew && o.Kept != nil {
		o.Kept.Add(1)
	}
	return nil
}

func letter(d *broker.Delivery, now time.Time) deadletter.Letter {
	death := d.Death(now)
	l := deadletter.Letter{
		Queue: death.Queue, Exchange: death.Exchange, Key: d.Key, MessageID: d.ID, Type: d.Type,
		CorrelationID: d.CorrelationID, UserID: d.UserID, ContentType: d.ContentType, SentAt: d.Timestamp,
		Reason: death.Reason, Deaths: death.Count, FirstDeathAt: death.First, LastDeathAt: death.Last, Body: d.Body,
	}
	// The count of deliveries out of the dead letters is no part of the letter.
	delete(d.Headers, "x-delivery-count")
	headers, err := broker.HeadersJSON(d.Headers)
	if err != nil {
		l.Cut, l.Reason = true, errors.Join(errors.New(l.Reason), err).Error()
	}
	l.Headers = headers
	return l
}
