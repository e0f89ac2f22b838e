package adjust

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/walletctl/walletctl/walletcore"
	"github.com/walletctl/walletctl/walletcore/ledger"
	"github.com/walletctl/walletctl/walletcore/pgtx"
)

// DefaultInterval is the time between two sweeps.
const DefaultInterval = 5 * time.Second

// Ledger posts what was approved: gaming's.
type Ledger interface {
	PostAdjustment(ctx context.Context, a ledger.Adjustment) (walletcore.Posted, error)
}

// PosterOptions configure a Poster.
type PosterOptions struct {
	Pool     *pgxpool.Pool // as gaming
	Ledger   Ledger
	Told     <-chan struct{} // there is news; without it what is approved waits for the next sweep
	Interval time.Duration   // between two sweeps; DefaultInterval by default
	Host     string          // kept with what it refuses
	Client   string          // the same
	Logger   *slog.Logger    // discarded by default
}

// Validate refuses options that cannot work.
func (o *PosterOptions) Validate() error {
	switch {
	case o.Pool == nil || o.Ledger == nil:
		return errors.New("adjustment poster lacks a pool or a ledger")
	case o.Interval < 0:
		return errors.New("adjustment poster has a negative interval")
	}
	return nil
}

// PosterStats count what a Poster did since it was made.
type PosterStats struct {
	Posted  atomic.Int64 // adjustments that it wrote, or found written
	Refused atomic.Int64 // adjustments that the ledger would not have
	Failed  atomic.Int64 // attempts that were left to the next sweep
}

// Poster posts approved adjustments. Any number of them may run.
type Poster struct {
	o     PosterOptions
	all   bool // the next sweep looks at everything
	stats PosterStats
}

// NewPoster checks the options.
func NewPoster(o PosterOptions) (*Poster, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	if o.Interval == 0 {
		o.Interval = DefaultInterval
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	return &Poster{o: o, all: true}, nil
}

// Stats returns the counters, which go on counting.
func (p *Poster) Stats() *PosterStats { return &p.stats }

// Run posts until ctx ends. What cannot be posted now is left to the next
// sweep.
func (p *Poster) Run(ctx context.Context) error {
	ticker := time.NewTicker(p.o.Interval)
	defer ticker.Stop()
	for {
		if _, err := p.Sweep(ctx); err != nil && ctx.Err() == nil {
			p.o.Logger.ErrorContext(ctx, "adjustments were not posted", "error", err)
		}
		select {
		case <-ctx.Done():
			return nil
		case <-p.o.Told:
		case <-ticker.C:
		}
	}
}

// Sweep posts everything that is approved, and returns how many it posted or
// refused. One that cannot be posted now does not keep the others waiting.
func (p *Poster) Sweep(ctx context.Context) (int, error) {
	due, err := readDue(ctx, p.o.Pool, p.all)
	if err != nil {
		return 0, err
	}
	done := 0
	var failed []error
	for i := range due {
		if ctx.Err() != nil {
			return done, ctx.Err()
		}
		// What is begun is ended: a COMMIT is not torn down by a deployment.
		if err := p.post(context.WithoutCancel(ctx), &due[i]); err != nil {
			p.stats.Failed.Add(1)
			failed = append(failed, fmt.Errorf("post %s: %w", due[i].ID, err))
			continue
		}
		done++
	}
	p.all = p.all && (len(failed) > 0 || len(due) >= mostDue)
	return done, errors.Join(failed...)
}

// details is kept in the entry: the people and the reason.
type details struct {
	Reason      string   `json:"reason"`
	Ticket      string   `json:"ticket"`
	RequestedBy string   `json:"requested_by"`
	ApprovedBy  []string `json:"approved_by"`
	CorrectsSeq *int64   `json:"corrects_seq,omitempty"`
	CaseRef     string   `json:"case,omitempty"`
}

func (p *Poster) post(ctx context.Context, a *Adjustment) error {
	text, err := json.Marshal(details{a.Reason, a.Ticket, a.RequestedBy, a.Approvers, a.CorrectsSeq, a.CaseRef})
	if err != nil {
		return err
	}
	posted, err := p.o.Ledger.PostAdjustment(ctx, ledger.Adjustment{
		ID: a.ID, Wallet: a.Wallet(), Change: a.Change(), MayDebt: a.AllowDebt,
		Actor: a.RequestedBy, Details: text, ApprovedAt: *a.ApprovedAt,
	})
	var refused *walletcore.RefusedError
	var malformed *walletcore.FieldError
	switch {
	case errors.As(err, &refused):
		return p.refuse(ctx, a, string(refused.Code)+": "+refused.Detail)
	case errors.As(err, &malformed):
		return p.refuse(ctx, a, "invalid: "+malformed.Error())
	case err != nil:
		return p.unlessEnded(ctx, a, err)
	}
	p.stats.Posted.Add(1)
	p.o.Logger.InfoContext(ctx, "adjustment posted", "adjustment_id", a.ID, "wallet_id", a.WalletID,
		"seq", posted.Receipt.Seq, "requested_by", a.RequestedBy, "approved_by", a.Approvers, "replayed", posted.Replayed)
	return nil
}

const refuse = `select gaming.refuse_adjustment($1, $2, $3, $4)`

// refuse ends an adjustment that the ledger will not have. Where another poster
// was faster, its word stands.
func (p *Poster) refuse(ctx context.Context, a *Adjustment, why string) error {
	_, err := p.o.Pool.Exec(ctx, refuse, a.ID, pgtx.Clip(why), pgtx.Clip(p.o.Host), pgtx.Clip(p.o.Client))
	if err != nil {
		return p.unlessEnded(ctx, a, actError("refuse", err))
	}
	p.stats.Refused.Add(1)
	p.o.Logger.WarnContext(ctx, "adjustment refused", "adjustment_id", a.ID, "reason", why)
	return nil
}

// unlessEnded drops an error about an adjustment that another poster ended.
func (p *Poster) unlessEnded(ctx context.Context, a *Adjustment, err error) error {
	found, lookErr := query(ctx, p.o.Pool, selectAdjustment+` where a.id = $1`, a.ID)
	if lookErr == nil && len(found) == 1 && found[0].State.Ended() {
		return nil
	}
	return err
}
