package adjust

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/walletctl/walletctl/walletcore"
	"github.com/walletctl/walletctl/walletcore/ledger"
)

// Ledger posts what was approved: gaming's.
type Ledger interface {
	PostAdjustment(ctx context.Context, a ledger.Adjustment) (walletcore.Posted, error)
}

// PosterOptions configure a Poster.
type PosterOptions struct {
	Pool   *pgxpool.Pool // as gaming
	Ledger Ledger
	// Listen connects for NOTIFY, on a connection that no pooler shares. Nil:
	// what is approved waits for the next sweep.
	Listen   func(ctx context.Context) (*pgx.Conn, error)
	Interval time.Duration // between two sweeps; 5 s by default
	Logger   *slog.Logger  // discarded by default
}

// Poster posts approved adjustments. Any number of them may run.
type Poster struct {
	opts PosterOptions
	desk Desk
}

// NewPoster checks the options.
func NewPoster(o PosterOptions) (*Poster, error) {
	if o.Pool == nil || o.Ledger == nil {
		return nil, errors.New("adjustment poster lacks a pool or a ledger")
	}
	if o.Interval < 0 {
		return nil, errors.New("adjustment poster has a negative interval")
	}
	if o.Interval == 0 {
		o.Interval = 5 * time.Second
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	return &Poster{opts: o, desk: Desk{Pool: o.Pool}}, nil
}

// Run posts until ctx ends. What cannot be posted now is left to the next
// sweep.
func (p *Poster) Run(ctx context.Context) error {
	told := make(chan struct{}, 1)
	if p.opts.Listen != nil {
		go p.listen(ctx, told)
	}
	ticker := time.NewTicker(p.opts.Interval)
	defer ticker.Stop()
	for {
		if _, err := p.Sweep(ctx); err != nil && ctx.Err() == nil {
			p.opts.Logger.ErrorContext(ctx, "adjustments were not posted", "error", err)
		}
		select {
		case <-ctx.Done():
			return nil
		case <-told:
		case <-ticker.C:
		}
	}
}

// listen tells of every NOTIFY, and connects again until ctx ends.
func (p *Poster) listen(ctx context.Context, told chan<- struct{}) {
	for ctx.Err() == nil {
		if err := p.listenOnce(ctx, told); err != nil && ctx.Err() == nil {
			p.opts.Logger.WarnContext(ctx, "no NOTIFY of adjustments for now", "error", err)
			select {
			case <-ctx.Done():
			case <-time.After(p.opts.Interval):
			}
		}
	}
}

func (p *Poster) listenOnce(ctx context.Context, told chan<- struct{}) error {
	conn, err := p.opts.Listen(ctx)
	if err != nil {
		return err
	}
	defer conn.Close(context.WithoutCancel(ctx))
	if _, err := conn.Exec(ctx, "listen gaming_adjustments"); err != nil {
		return err
	}
	for {
		if _, err := conn.WaitForNotification(ctx); err != nil {
			return err
		}
		select {
		case told <- struct{}{}:
		default: // a sweep is due already
		}
	}
}

// What is approved and has neither entry nor end. A request lives for 30 days,
// so nothing older than that can have been approved lately.
const selectDue = selectAdjustment + `
where a.requested_at > clock_timestamp() - interval '60 days'
  and e.seq is null
  and exists (select from gaming.adjustment_steps p where p.adjustment_id = a.id and p.step = 'approved')
  and s.state = 'approved'
order by a.requested_at
limit 500`

// Sweep posts everything that is approved, and returns how many it posted or
// refused. One that cannot be posted now does not keep the others waiting.
func (p *Poster) Sweep(ctx context.Context) (int, error) {
	due, err := p.desk.query(ctx, selectDue)
	if err != nil {
		return 0, err
	}
	done := 0
	var failed []error
	for i := range due {
		if err := p.post(ctx, &due[i]); err != nil {
			failed = append(failed, fmt.Errorf("post %s: %w", due[i].ID, err))
			continue
		}
		done++
	}
	return done, errors.Join(failed...)
}

// details is kept in the entry: the two people and the reason.
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
	posted, err := p.opts.Ledger.PostAdjustment(ctx, ledger.Adjustment{
		ID: a.ID, Wallet: a.Wallet(), Change: walletcore.Parts{Real: a.Real, Bonus: a.Bonus}, MayDebt: a.AllowDebt,
		Actor: a.RequestedBy, Details: text, ApprovedAt: a.RequestedAt,
	})
	var refused *walletcore.RefusedError
	if errors.As(err, &refused) {
		return p.refuse(ctx, a, refused)
	}
	if err == nil {
		p.opts.Logger.InfoContext(ctx, "adjustment posted", "adjustment_id", a.ID, "wallet_id", a.WalletID,
			"seq", posted.Receipt.Seq, "requested_by", a.RequestedBy, "approved_by", a.Approvers, "replayed", posted.Replayed)
	}
	return err
}

// refuse ends an adjustment that the ledger will not have. Where another poster
// was faster, its word stands.
func (p *Poster) refuse(ctx context.Context, a *Adjustment, why *walletcore.RefusedError) error {
	p.opts.Logger.WarnContext(ctx, "adjustment refused", "adjustment_id", a.ID, "code", why.Code, "detail", why.Detail)
	_, err := p.opts.Pool.Exec(ctx, `select gaming.refuse_adjustment($1, $2)`, a.ID, string(why.Code)+": "+why.Detail)
	var rule *RuleError
	if err = actError("refuse "+a.ID, err); errors.As(err, &rule) && rule.Ended {
		return nil
	}
	return err
}
