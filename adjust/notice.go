package adjust

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/walletctl/walletctl/walletcore"
)

// Notice tells whoever approves of a new request. It holds no note: that may
// name a person.
type Notice struct {
	MessageID   string           `json:"message_id"` // always the same for the same request
	Event       string           `json:"event"`      // adjustment.requested
	ID          string           `json:"adjustment_id"`
	Brand       string           `json:"brand"`
	User        string           `json:"user"`
	Currency    string           `json:"currency"`
	Amount      walletcore.Money `json:"amount"` // signed
	Balance     string           `json:"balance"`
	Reason      string           `json:"reason"`
	Ticket      string           `json:"ticket"`
	AllowDebt   bool             `json:"allow_debt"`
	NeedsTwo    bool             `json:"needs_two"`
	RequestedBy string           `json:"requested_by"`
	RequestedAt time.Time        `json:"requested_at"`
	ExpiresAt   time.Time        `json:"expires_at"`
}

func noticeOf(a *Adjustment) Notice {
	const event = "adjustment.requested"
	return Notice{
		MessageID: event + ":" + a.ID, Event: event, ID: a.ID, Brand: a.Brand, User: a.User, Currency: a.Currency,
		Amount: a.Amount(), Balance: a.Balance(), Reason: a.Reason, Ticket: a.Ticket, AllowDebt: a.AllowDebt,
		NeedsTwo: a.NeedsTwo, RequestedBy: a.RequestedBy, RequestedAt: a.RequestedAt, ExpiresAt: a.ExpiresAt,
	}
}

// NotifierOptions configure a Notifier.
type NotifierOptions struct {
	Pool     *pgxpool.Pool                       // as gaming
	Send     func(context.Context, Notice) error // nil where it was taken
	Told     <-chan struct{}                     // there is news
	Interval time.Duration                       // between two looks without news; DefaultInterval by default
	Logger   *slog.Logger                        // discarded by default
}

// NotifierStats count what a Notifier did since it was made.
type NotifierStats struct {
	Sent   atomic.Int64
	Failed atomic.Int64
}

// Notifier tells of each request that waits for a person, at least once. What
// was told is kept in the database: one of several notifiers tells, a new
// process does not tell again, and what failed is tried again after half a
// minute, then after longer, for as long as the request waits.
type Notifier struct {
	o     NotifierOptions
	stats NotifierStats
}

// NewNotifier checks the options.
func NewNotifier(o NotifierOptions) (*Notifier, error) {
	if o.Pool == nil || o.Send == nil || o.Interval < 0 {
		return nil, errors.New("adjustment notifier lacks a pool or a way to send, or has a negative interval")
	}
	if o.Interval == 0 {
		o.Interval = DefaultInterval
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	return &Notifier{o: o}, nil
}

// Stats returns the counters, which go on counting.
func (n *Notifier) Stats() *NotifierStats { return &n.stats }

// Run tells until ctx ends.
func (n *Notifier) Run(ctx context.Context) error {
	ticker := time.NewTicker(n.o.Interval)
	defer ticker.Stop()
	for {
		if err := n.Round(ctx); err != nil && ctx.Err() == nil {
			n.o.Logger.WarnContext(ctx, "nobody was told of an adjustment's request", "error", err)
		}
		select {
		case <-ctx.Done():
			return nil
		case <-n.o.Told:
		case <-ticker.C:
		}
	}
}

// Round tells of everything that is due, and stops at the first failure: where
// nobody answers, the others need not be tried.
func (n *Notifier) Round(ctx context.Context) error {
	for {
		var id *string
		if err := n.o.Pool.QueryRow(ctx, `select gaming.take_adjustment_notice()`).Scan(&id); err != nil {
			return fmt.Errorf("take a notice: %w", err)
		}
		if id == nil {
			return nil
		}
		if err := n.tell(ctx, *id); err != nil {
			n.stats.Failed.Add(1)
			return fmt.Errorf("tell of %s: %w", *id, err)
		}
		n.stats.Sent.Add(1)
	}
}

func (n *Notifier) tell(ctx context.Context, id string) error {
	found, err := query(ctx, n.o.Pool, selectAdjustment+` where a.id = $1`, id)
	if err != nil || len(found) == 0 {
		return err
	}
	if err := n.o.Send(ctx, noticeOf(&found[0])); err != nil {
		return err
	}
	_, err = n.o.Pool.Exec(ctx, `select gaming.note_adjustment_told($1)`, id)
	return err
}
