package provider

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"sync"
	"time"

	"github.com/walletctl/walletctl/walletcore"
)

const (
	// Pattern is where a [Handler] belongs in an http.ServeMux.
	Pattern = "POST /providers/{brand}/{provider}/{operation...}"
	// MaxBody is the largest callback that is read, in bytes.
	MaxBody = 256 << 10
	// DefaultTimeout is what the wallet may take. Providers wait from 2 to 15
	// seconds.
	DefaultTimeout = 2500 * time.Millisecond
)

// HandlerOptions configure a [Handler].
type HandlerOptions struct {
	Profiles *Profiles // required
	Wallet   Wallet    // required
	// Timeout bounds the wallet's part of a call. 0 means DefaultTimeout.
	Timeout time.Duration
	// Observe, if set, hears of every call, and of what it was refused for; the
	// reason is empty for a success. Brand and provider are empty for an unknown
	// profile: the names in such a URL are anybody's.
	Observe func(brand, provider string, reason Reason)
	// ObserveUnkeyed, if set, hears of every bet and win without an id of a
	// provider whose profile has Unkeyed.
	ObserveUnkeyed func(brand, provider string, fate UnkeyedFate)
	// Logger hears of bad signatures, conflicts and of what could not be
	// decided. Nil means none.
	Logger *slog.Logger
	// Now is the clock. Nil means time.Now.
	Now func() time.Time
}

// Validate refuses options without which the handler cannot work.
func (o *HandlerOptions) Validate() error {
	switch {
	case o.Profiles == nil:
		return errors.New("provider handler needs profiles")
	case o.Wallet == nil:
		return errors.New("provider handler needs a wallet")
	case o.Timeout < 0:
		return errors.New("provider handler needs a timeout that is not negative")
	}
	return nil
}

// Handler is the door for the callbacks of game providers.
type Handler struct {
	o HandlerOptions
	// told holds what was logged of movements without an id, once a profile.
	told sync.Map
}

// NewHandler returns a handler for [Pattern].
func NewHandler(o HandlerOptions) (*Handler, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	if o.Timeout == 0 {
		o.Timeout = DefaultTimeout
	}
	if o.Observe == nil {
		o.Observe = func(string, string, Reason) {}
	}
	if o.ObserveUnkeyed == nil {
		o.ObserveUnkeyed = func(string, string, UnkeyedFate) {}
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
	p, ok := h.o.Profiles.Find(r.PathValue("brand"), r.PathValue("provider"))
	if !ok {
		h.o.Observe("", "", UnknownOperation)
		write(w, http.StatusNotFound, standard{}.Refuse(nil, &Problem{
			Code: Code{http.StatusNotFound, "unknown_provider"}, Message: "there is no such provider",
		}))
		return
	}
	call, result, problem := h.serve(w, r, p)
	if problem == nil {
		h.o.Observe(p.Brand, p.Provider, "")
		write(w, http.StatusOK, p.dialect.Write(p, call, result))
		return
	}
	problem = p.settle(problem, call, result)
	h.o.Observe(p.Brand, p.Provider, problem.Reason)
	write(w, problem.Code.Status, p.dialect.Refuse(p, problem))
}

// serve goes the way of a callback; see the package's documentation. The
// result is nil where the wallet was not asked.
func (h *Handler) serve(w http.ResponseWriter, r *http.Request, p *Profile) (*Call, *Result, *Problem) {
	body, problem := read(w, r)
	if problem != nil {
		return nil, nil, problem
	}
	if err := p.signature.Verify(r.Header, body, p.secrets); err != nil {
		h.o.Logger.WarnContext(r.Context(), "callback refused", "profile", p.String(), "error", err)
		return nil, nil, &Problem{Reason: BadSignature, Message: err.Error()}
	}
	call, err := p.dialect.Read(p, r.PathValue("operation"), body)
	if err != nil {
		return nil, nil, unread(err)
	}
	if problem := h.key(r, p, call, body); problem != nil {
		return nil, nil, problem
	}
	result, err := h.ask(r.Context(), p, call)
	if err != nil {
		h.o.Logger.ErrorContext(r.Context(), "callback not decided", "profile", p.String(), "error", err)
		return nil, nil, problemOf(nil)
	}
	h.warn(r.Context(), p, call, result)
	h.count(r.Context(), p, call, result)
	return call, result, p.judge(call, result)
}

// warn tells of ids that came again with other content: an honest resend is
// equal, so somebody should look.
func (h *Handler) warn(ctx context.Context, p *Profile, call *Call, result *Result) {
	for i := range result.Outcomes {
		if outcome := &result.Outcomes[i]; outcome.Status() == Conflict {
			h.o.Logger.WarnContext(ctx, "callback in conflict", "profile", p.String(),
				"kind", call.Actions[i].Kind, "id", call.Actions[i].ID, "error", outcome.Err)
		}
	}
}

func read(w http.ResponseWriter, r *http.Request) ([]byte, *Problem) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, MaxBody))
	var large *http.MaxBytesError
	switch {
	case errors.As(err, &large):
		return nil, &Problem{Reason: TooLarge, Field: "body", Message: "the body is larger than 256 KiB"}
	case err != nil: // it broke off on its way, and says nothing: what came may be a win
		return nil, problemOf(nil)
	}
	return body, nil
}

// unread is the problem of a body that a dialect refused.
func unread(err error) *Problem {
	if errors.Is(err, ErrUnknownOperation) {
		return &Problem{Reason: UnknownOperation, Message: err.Error()}
	}
	var field *walletcore.FieldError
	if !errors.As(err, &field) {
		field = &walletcore.FieldError{Field: "body", Reason: "cannot be read"}
	}
	return &Problem{Reason: BadRequest, Field: field.Field, Message: field.Error()}
}

// ask outlives the request: a provider that hangs up early has still been
// heard, and what it asked for ends one way or the other within the time.
func (h *Handler) ask(ctx context.Context, p *Profile, call *Call) (*Result, error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), h.o.Timeout)
	defer cancel()
	if len(call.Actions) == 0 {
		balance, err := h.o.Wallet.Balance(ctx, p.wallet(call))
		return &Result{Balance: balance}, err
	}
	result, err := h.o.Wallet.Play(ctx, p.request(call, h.o.Now().UTC()))
	if err == nil && len(result.Outcomes) != len(call.Actions) {
		err = errors.New("the wallet answered another number of actions")
	}
	return &result, err
}
