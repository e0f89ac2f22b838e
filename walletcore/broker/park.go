package broker

import (
	"context"
	"maps"
	"time"
)

// Headers that a parked message carries beside its own.
const (
	// HeaderDeadReason says why the message could not be handled.
	HeaderDeadReason = "x-dead-reason"
	// HeaderDeadQueue is the queue that it was taken from.
	HeaderDeadQueue = "x-dead-queue"
	// HeaderDeadExchange is where it was published to.
	HeaderDeadExchange = "x-dead-exchange"
	// HeaderDeadAt is when, in Unix milliseconds.
	HeaderDeadAt = "x-dead-at"
)

const maxReason = 1024

// park moves d to the dead-letter exchange with the reason: first published and
// confirmed, then acknowledged. It may be parked twice, never lost.
func (r *round) park(d Delivery, reason string) {
	ctx, cancel := context.WithCancel(r.work)
	defer cancel()
	go func() {
		select {
		case <-r.closed:
			cancel()
		case <-ctx.Done():
		}
	}()
	message := r.deadLetter(d, reason)
	wait := backoff{first: r.conn.opts.FirstRetry, most: r.conn.opts.MaxRetry}
	for {
		err := r.parker.Publish(ctx, message)
		if err == nil {
			break
		}
		r.opts.Logger.Error("dead letter cannot be published and is kept", "err", err, "reason", reason, "message_id", d.ID)
		if !wait.wait(ctx) {
			return // unsettled: it comes again
		}
	}
	r.conn.stats.Parked.Add(1)
	r.opts.Logger.Warn("message became a dead letter", "reason", reason, "message_id", d.ID)
	r.ack(d)
}

func (r *round) deadLetter(d Delivery, reason string) Message {
	headers := maps.Clone(d.Headers)
	if headers == nil {
		headers = map[string]any{}
	}
	if len(reason) > maxReason {
		reason = reason[:maxReason]
	}
	headers[HeaderDeadReason] = reason
	headers[HeaderDeadQueue] = r.opts.Queue
	headers[HeaderDeadExchange] = d.Exchange
	headers[HeaderSender] = d.UserID
	headers[HeaderDeadAt] = time.Now().UnixMilli()
	return Message{
		Exchange:      r.opts.DeadLetter,
		Key:           d.Key,
		ID:            d.ID,
		Type:          d.Type,
		CorrelationID: d.CorrelationID,
		UserID:        r.conn.user,
		Headers:       headers,
		ContentType:   d.ContentType,
		Timestamp:     d.Timestamp,
		Body:          d.Body,
	}
}
