package gateway

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"strconv"
	"time"

	"github.com/google/uuid"
)

// Pattern is where a [Handler] belongs in an http.ServeMux.
const Pattern = "POST /webhooks/{gateway}/{account}"

// MaxBody is the largest webhook that is read, in bytes.
const MaxBody = 1 << 20

// Publisher puts a verified webhook into the queue. It returns nil only when
// the broker has confirmed that a queue holds the message.
type Publisher interface {
	PublishNotification(ctx context.Context, received Received) error
}

// Outcome is what became of a request, a label for metrics.
type Outcome string

// The outcomes.
const (
	Accepted       Outcome = "accepted"        // 200: the queue has it
	UnknownAccount Outcome = "unknown_account" // 404
	TooLarge       Outcome = "too_large"       // 413
	Unreadable     Outcome = "unreadable"      // 400: the connection broke off within the body
	BadSignature   Outcome = "bad_signature"   // 401
	Unpublished    Outcome = "unpublished"     // 503: the gateway will send again
)

// HandlerOptions configure a [Handler].
type HandlerOptions struct {
	Accounts  *Accounts // required
	Publisher Publisher // required
	// PublishTimeout bounds the wait for the broker. 0 means 5 s, below what
	// gateways wait for an answer.
	PublishTimeout time.Duration
	// RetryAfter is what a 503 asks the gateway to wait. 0 means 10 s.
	RetryAfter time.Duration
	// Observe, if set, hears of every request. Gateway and account are empty
	// for an unknown account: the names in such a URL are anybody's.
	Observe func(gateway, account string, outcome Outcome)
	// Logger hears of refused and unpublished webhooks. Nil means none.
	Logger *slog.Logger
	// Now is the clock. Nil means time.Now.
	Now func() time.Time
}

// Validate refuses options without which the handler cannot work.
func (o *HandlerOptions) Validate() error {
	switch {
	case o.Accounts == nil:
		return errors.New("webhook handler needs accounts")
	case o.Publisher == nil:
		return errors.New("webhook handler needs a publisher")
	case o.PublishTimeout < 0 || o.RetryAfter < 0:
		return errors.New("webhook handler needs times that are not negative")
	}
	return nil
}

// Handler is the door for webhooks: verify, enqueue, answer, and nothing else.
type Handler struct {
	o HandlerOptions
}

// NewHandler returns a handler for [Pattern].
func NewHandler(o HandlerOptions) (*Handler, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	if o.PublishTimeout == 0 {
		o.PublishTimeout = 5 * time.Second
	}
	if o.RetryAfter == 0 {
		o.RetryAfter = 10 * time.Second
	}
	if o.Observe == nil {
		o.Observe = func(string, string, Outcome) {}
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	return &Handler{o: o}, nil
}

// ServeHTTP implements [http.Handler].
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	account, ok := h.o.Accounts.Find(r.PathValue("gateway"), r.PathValue("account"))
	if !ok {
		h.o.Observe("", "", UnknownAccount)
		answer(w, http.StatusNotFound, "not_found", "no such gateway account")
		return
	}
	outcome := h.serve(w, r, account)
	h.o.Observe(account.Gateway, account.Name, outcome)
}

func (h *Handler) serve(w http.ResponseWriter, r *http.Request, account *Account) Outcome {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, MaxBody))
	var large *http.MaxBytesError
	switch {
	case errors.As(err, &large):
		answer(w, http.StatusRequestEntityTooLarge, "too_large", "the body is larger than 1 MiB")
		return TooLarge
	case err != nil:
		answer(w, http.StatusBadRequest, "unreadable", "the body could not be read")
		return Unreadable
	}
	if err := account.verify(r.Header, body, h.o.Now()); err != nil {
		h.o.Logger.WarnContext(r.Context(), "webhook refused", "account", account.String(), "error", err)
		answer(w, http.StatusUnauthorized, "bad_signature", err.Error())
		return BadSignature
	}
	return h.publish(w, r, account, body)
}

// publish outlives the request: a gateway that hangs up early has still been
// heard, and sends again anyway.
func (h *Handler) publish(w http.ResponseWriter, r *http.Request, account *Account, body []byte) Outcome {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(r.Context()), h.o.PublishTimeout)
	defer cancel()
	received, err := h.receive(account, body)
	if err == nil {
		w.Header().Set("X-Correlation-ID", received.CorrelationID)
		err = h.o.Publisher.PublishNotification(ctx, received)
	}
	if err != nil {
		h.o.Logger.ErrorContext(ctx, "webhook not published", "account", account.String(),
			"correlation_id", received.CorrelationID, "error", err)
		w.Header().Set("Retry-After", strconv.Itoa(int(h.o.RetryAfter.Seconds())))
		answer(w, http.StatusServiceUnavailable, "unavailable", "could not be queued; send it again")
		return Unpublished
	}
	answerAccepted(w, received.MessageID)
	return Accepted
}

func (h *Handler) receive(account *Account, body []byte) (Received, error) {
	id, err := uuid.NewV7()
	if err != nil {
		return Received{}, err
	}
	return Received{
		MessageID:  id.String(),
		Gateway:    account.Gateway,
		Account:    account.Name,
		Brand:      account.Brand,
		Dialect:    account.Dialect,
		ReceivedAt: h.o.Now().UTC().Truncate(time.Microsecond),
		// The delivery begins the trail: nothing in the request that names
		// another one is signed.
		CorrelationID: id.String(),
		Body:          body,
	}, nil
}
