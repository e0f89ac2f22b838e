package queue

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync/atomic"
	"time"

	"github.com/walletctl/walletctl/walletcore/broker"
	"github.com/walletctl/walletctl/walletcore/deadletter"
	"github.com/walletctl/walletctl/walletcore/withdrawal"
)

// sendTimeout bounds the sending of one letter, whose row is locked meanwhile.
const sendTimeout = 5 * time.Second

// maxHeaders is what headers may be long, as JSON, to be sent again with a past
// added: they must fit one frame of the broker.
const maxHeaders = 64 << 10

// RequeueOptions of Requeue.
type RequeueOptions struct {
	Store    *deadletter.Store
	Interval time.Duration // how often to look; a second by default
	Logger   *slog.Logger
	Requeued *atomic.Int64 // where set, counts the letters that were sent again
}

// Requeue sends dead letters again that a person asked for, until ctx ends. A
// letter goes back to the queue that gave it up, and still counts as its first
// sender's. Where the database or the broker is away it is tried again.
func Requeue(ctx context.Context, conn *broker.Conn, o RequeueOptions) error {
	if o.Interval == 0 {
		o.Interval = time.Second
	}
	r := &requeuer{RequeueOptions: o, conn: conn, publisher: broker.NewPublisher(conn, broker.PublisherOptions{
		Exchanges: []string{WebhookExchange, EventExchange, OutcomeExchange},
	})}
	ticker := time.NewTicker(o.Interval)
	defer ticker.Stop()
	for {
		r.report(ctx, r.sendAll(ctx))
		select {
		case <-ctx.Done():
			return nil
		case <-ticker.C:
		}
	}
}

type requeuer struct {
	RequeueOptions
	conn      *broker.Conn
	publisher *broker.Publisher
	trouble   string // what was last told
}

// sendAll sends what was asked for.
func (r *requeuer) sendAll(ctx context.Context) error {
	for ctx.Err() == nil {
		found, err := r.sendNext(ctx)
		if err != nil || !found {
			return err
		}
	}
	return nil
}

// sendNext brings a letter in hand to its end, also when ctx ends meanwhile.
func (r *requeuer) sendNext(ctx context.Context) (found bool, err error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 2*sendTimeout)
	defer cancel()
	return r.Store.SendNext(ctx, r.send)
}

// report tells of each trouble once.
func (r *requeuer) report(ctx context.Context, err error) {
	text := ""
	if err != nil {
		text = err.Error()
	}
	if text != "" && text != r.trouble && ctx.Err() == nil {
		r.Logger.Warn("dead letters cannot be sent again now", "error", err)
	}
	r.trouble = text
}

func (r *requeuer) send(ctx context.Context, l deadletter.Letter) error {
	m, err := r.message(&l)
	if err != nil {
		return &deadletter.RefusedError{Reason: err.Error()}
	}
	ctx, cancel := context.WithTimeout(ctx, sendTimeout)
	defer cancel()
	err = r.publisher.Publish(ctx, m)
	switch {
	case err == nil:
		r.Logger.Info("dead letter was sent again", "letter", letterName(&l), "queue", l.Queue, "message_id", l.MessageID)
		if r.Requeued != nil {
			r.Requeued.Add(1)
		}
		return nil
	case isFinal(err) && r.conn.Healthy() == nil:
		return &deadletter.RefusedError{Reason: err.Error()}
	}
	return err
}

// isFinal: the broker answered, or the message cannot be sent at all.
func isFinal(err error) bool {
	var returned *broker.ReturnedError
	var unsent *broker.NotSentError
	if errors.As(err, &returned) {
		return true
	}
	return errors.As(err, &unsent) && !errors.Is(err, context.DeadlineExceeded) && !errors.Is(err, broker.ErrClosed)
}

// message is what the letter was, to the queue that gave it up.
func (r *requeuer) message(l *deadletter.Letter) (broker.Message, error) {
	exchange, key, err := r.target(l)
	if err != nil {
		return broker.Message{}, err
	}
	if len(l.Headers) > maxHeaders {
		return broker.Message{}, fmt.Errorf("its headers are longer than %d bytes", maxHeaders)
	}
	headers, err := broker.ParseHeaders(l.Headers)
	if err != nil {
		return broker.Message{}, err
	}
	return broker.Again(broker.Message{
		Exchange: exchange, Key: key, ID: l.MessageID, Type: l.Type, CorrelationID: l.CorrelationID,
		ContentType: l.ContentType, Timestamp: l.SentAt, Headers: headers, Body: l.Body,
	}, r.conn.User(), broker.Past{
		Sender: l.UserID, Letter: letterName(l), Deaths: l.Deaths, First: l.FirstDeathAt,
	}), nil
}

// target is the exchange and key that lead to the letter's queue and to no
// other. Casino's own consumers look at who sent a message first; those of
// events see casino's name only, so what casino did not send never gets it.
func (r *requeuer) target(l *deadletter.Letter) (exchange, key string, err error) {
	effect, isEffect := strings.CutPrefix(l.Queue, effectQueues)
	switch {
	case l.Queue == NotificationsQueue:
		return WebhookExchange, WebhookKey, nil
	case l.Queue == OutcomesQueue:
		return OutcomeExchange, OutcomeKey, nil
	case l.Queue != PayoutsQueue && !isEffect:
		return "", "", fmt.Errorf("queue %q is none that casino sends to", l.Queue)
	case l.UserID != r.conn.User():
		return "", "", fmt.Errorf("it was sent by %q, and what casino did not send is no event of casino", l.UserID)
	case isEffect:
		return EventExchange, effectKey(effect), nil
	}
	return EventExchange, withdrawal.EventPayout, nil
}

func letterName(l *deadletter.Letter) string { return fmt.Sprintf("casino-%d", l.ID) }
