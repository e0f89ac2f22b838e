package httpapi

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"time"

	"github.com/walletctl/walletctl/walletcore/deposit"
	"github.com/walletctl/walletctl/walletcore/withdrawal"
)

// Deposits is what the door needs of package deposit.
type Deposits interface {
	// Create returns the deposit, and whether this call made it: an equal
	// resend gets the first one, another content a *deposit.ConflictError.
	Create(ctx context.Context, n deposit.New) (deposit.Deposit, bool, error)
	// Get returns a brand's deposit or deposit.ErrNotFound.
	Get(ctx context.Context, brand, id string) (deposit.Deposit, error)
}

// Withdrawals is what the door needs of package withdrawal.
type Withdrawals interface {
	// Create returns the withdrawal, and whether this call made it: an equal
	// resend gets the first one, another content a *withdrawal.ConflictError.
	Create(ctx context.Context, n withdrawal.New) (withdrawal.Withdrawal, bool, error)
	// Get returns a brand's withdrawal or withdrawal.ErrNotFound.
	Get(ctx context.Context, brand, id string) (withdrawal.Withdrawal, error)
}

// Gateways knows at which accounts a brand takes payments.
type Gateways interface {
	// Names lists the accounts of a brand at a gateway.
	Names(brand, gateway string) []string
}

// Options configure an [API].
type Options struct {
	Tokens      *Tokens     // required; without any token nobody is let in
	Deposits    Deposits    // required
	Withdrawals Withdrawals // required
	Gateways    Gateways    // required
	// Observe, if set, hears of every request, with the pattern of its route
	// and the status it was answered with.
	Observe func(route string, status int)
	// Logger hears of errors that the caller did not cause. Nil means none.
	Logger *slog.Logger
	// Now is the clock. Nil means time.Now.
	Now func() time.Time
}

// Validate refuses options without which the door cannot work.
func (o *Options) Validate() error {
	if o.Tokens == nil || o.Deposits == nil || o.Withdrawals == nil || o.Gateways == nil {
		return errors.New("http api needs tokens, deposits, withdrawals and gateways")
	}
	return nil
}

// API answers the requests of the brands' sites.
type API struct {
	o Options
}

// New returns the API.
func New(o Options) (*API, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	if o.Observe == nil {
		o.Observe = func(string, int) {}
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	return &API{o: o}, nil
}

// Register adds the routes to mux.
func (a *API) Register(mux *http.ServeMux) {
	for pattern, do := range map[string]endpoint{
		"POST /deposits":        a.createDeposit,
		"GET /deposits/{id}":    a.getDeposit,
		"POST /withdrawals":     a.createWithdrawal,
		"GET /withdrawals/{id}": a.getWithdrawal,
	} {
		mux.Handle(pattern, a.route(pattern, do))
	}
}

// endpoint does a request for the one whom its token stands for.
type endpoint func(w http.ResponseWriter, r *http.Request, who caller) (status int, body any, err error)

// route lets in who has a token, and is the one place where answers are
// written and errors logged.
func (a *API) route(pattern string, do endpoint) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		correlation := correlationID(r.Header)
		w.Header().Set(correlationHeader, correlation)
		who, ok := a.o.Tokens.authenticate(r.Header)
		if !ok {
			writeProblem(w, errUnauthorized)
			a.o.Observe(pattern, errUnauthorized.status)
			return
		}
		status, body, err := do(w, r, who)
		if err != nil {
			status = a.refuse(w, r, err, slog.Group("request", "route", pattern, "caller", who.name,
				"brand", who.brand, "correlation_id", correlation))
		} else {
			writeJSON(w, status, body)
		}
		a.o.Observe(pattern, status)
	})
}

func (a *API) refuse(w http.ResponseWriter, r *http.Request, err error, request slog.Attr) int {
	p, expected := problemOf(err)
	switch {
	case !expected:
		a.o.Logger.ErrorContext(r.Context(), "request failed", request, "error", err)
	case p.status == http.StatusConflict:
		// An honest resend is equal; this one deserves a look.
		a.o.Logger.WarnContext(r.Context(), "request conflicts", request, "error", err)
	}
	writeProblem(w, p)
	return p.status
}
