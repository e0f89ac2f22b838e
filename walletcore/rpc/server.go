package rpc

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/walletctl/walletctl/walletcore"
	"github.com/walletctl/walletctl/walletcore/broker"
)

// replyTimeout bounds the sending of a reply, which the caller asks for again.
const replyTimeout = 5 * time.Second

type server struct {
	wallet  Wallet
	replies *broker.Sender
	opts    ServerOptions
}

// Serve declares the topology and answers requests on conn until ctx ends, then
// finishes those in flight. What stands in the way at the start, such as a
// *broker.TopologyError, is returned; losses of the connection are not.
func Serve(ctx context.Context, conn *broker.Conn, wallet Wallet, opts ServerOptions) error {
	if err := opts.Validate(); err != nil {
		return err
	}
	opts.setDefaults()
	if err := conn.Declare(ctx, Topology()); err != nil {
		return err
	}
	if opts.Declared != nil {
		opts.Declared()
	}
	s := &server{wallet: wallet, replies: broker.NewSender(conn), opts: opts}
	return conn.Consume(ctx, broker.ConsumerOptions{
		Queue:        CallsQueue,
		DeadLetter:   DeadLetterExchange,
		Workers:      opts.Workers,
		Prefetch:     opts.Prefetch,
		MaxBody:      opts.MaxBody,
		RequeueDelay: opts.RequeueDelay,
		Probe:        opts.Probe,
		FirstProbe:   opts.FirstProbe,
		MaxProbe:     opts.MaxProbe,
		DrainTimeout: opts.DrainTimeout,
		Logger:       opts.Logger,
	}, s.handle)
}

// handle answers one request. It returns nil, which acknowledges the request,
// only when the ledger has committed or has said no.
func (s *server) handle(ctx context.Context, d broker.Delivery) error {
	c, err := readRequest(&d)
	if err != nil {
		reason := "request " + err.Error()
		s.answer(ctx, &d, invalidReply("request", err.Error()))
		return &broker.Unprocessable{Reason: reason}
	}
	deadline, limited := deadlineOf(&d)
	if !limited {
		return s.post(ctx, &d, c)
	}
	if late := s.opts.Now().Sub(deadline); late > 0 {
		s.opts.Stats.Expired.Add(1)
		s.opts.Logger.Warn("request came after its deadline and is dropped", "type", d.Type, "id", c.id, "late", late)
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, deadline.Sub(s.opts.Now()))
	defer cancel()
	return s.post(ctx, &d, c)
}

func (s *server) post(ctx context.Context, d *broker.Delivery, c *call) error {
	posted, err := c.post(ctx, s.wallet)
	if err == nil {
		s.answer(ctx, d, postedReply(posted))
		return nil
	}
	if answer := errorReply(err); answer != nil {
		s.warnNotLive(d, c, err)
		s.answer(ctx, d, answer)
		return nil
	}
	if isUnavailable(err) {
		s.answer(ctx, d, retryReply("the ledger cannot be reached"))
		return &broker.Unavailable{Err: err, Settled: true}
	}
	if isRetryable(err) {
		s.opts.Logger.Warn("call is to be tried again", "type", d.Type, "id", c.id, "err", err)
		s.answer(ctx, d, retryReply("the ledger is busy"))
		return nil
	}
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		s.opts.Stats.Expired.Add(1)
		s.opts.Logger.Warn("call did not finish before its deadline", "type", d.Type, "id", c.id, "err", err)
		return nil
	}
	s.opts.Stats.Failed.Add(1)
	return fmt.Errorf("%s %s: %w", d.Type, c.id, err)
}

// warnNotLive names the brand that calls come for before it is live.
func (s *server) warnNotLive(d *broker.Delivery, c *call, err error) {
	var notLive *walletcore.NotLiveError
	if errors.As(err, &notLive) {
		s.opts.Logger.Warn("call came for a brand that is not live and is to be tried again",
			"type", d.Type, "id", c.id, "brand", notLive.Brand, "state", notLive.State)
	}
}

func isUnavailable(err error) bool {
	var e interface{ Unavailable() bool }
	return errors.As(err, &e) && e.Unavailable()
}

func isRetryable(err error) bool {
	var e interface{ Retryable() bool }
	return errors.As(err, &e) && e.Retryable()
}

// answer sends the reply. One that cannot be sent is only logged: the caller
// asks again with the same key.
func (s *server) answer(ctx context.Context, d *broker.Delivery, r *reply) {
	s.opts.Stats.count(r)
	if !d.WantsReply() {
		s.opts.Logger.Warn("request names no caller that could be answered", "outcome", r.Outcome, "message_id", d.ID)
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), replyTimeout)
	defer cancel()
	if err := s.send(ctx, d, r); err != nil {
		s.opts.Stats.Unheard.Add(1)
		s.opts.Logger.Warn("reply was not sent", "err", err, "outcome", r.Outcome, "correlation_id", d.CorrelationID)
	}
}

func (s *server) send(ctx context.Context, d *broker.Delivery, r *reply) error {
	body, err := json.Marshal(r)
	if err != nil {
		return fmt.Errorf("encode reply: %w", err)
	}
	return s.replies.Send(ctx, broker.Message{
		Key:           d.ReplyTo,
		Type:          string(r.Outcome),
		CorrelationID: d.CorrelationID,
		Body:          body,
		Transient:     true,
	})
}
