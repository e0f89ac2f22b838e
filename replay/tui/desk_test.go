package tui_test

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/walletctl/walletctl/replay"
	"github.com/walletctl/walletctl/walletcore"
)

// desk stands for the library where a test needs one that is slow, dead or
// rude. What the library itself does is tested on real servers.
type desk struct {
	mu      sync.Mutex
	items   []replay.Item
	story   replay.Story
	err     error // of every reading
	refuse  error // of every act
	read    int
	acts    []string
	sent    []replay.Subject
	result  func(replay.Subject) replay.Result
	hold    chan struct{} // where set, readings wait for it or their context
	holdRun chan struct{} // where set, each replay waits for it
}

func (d *desk) change(f func(*desk)) {
	d.mu.Lock()
	defer d.mu.Unlock()
	f(d)
}

func (d *desk) wait(ctx context.Context) error {
	d.mu.Lock()
	hold := d.hold
	d.mu.Unlock()
	if hold == nil {
		return nil
	}
	select {
	case <-hold:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Stuck implements tui.Desk.
func (d *desk) Stuck(ctx context.Context, _ replay.StuckFilter) ([]replay.Item, error) {
	if err := d.wait(ctx); err != nil {
		return nil, err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.read++
	return slices.Clone(d.items), d.err
}

// Case implements tui.Desk.
func (d *desk) Case(ctx context.Context, ref replay.Ref) (replay.Case, error) {
	if err := d.wait(ctx); err != nil {
		return replay.Case{}, err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, i := range d.items {
		if i.Case == ref {
			return replay.Case{Ref: ref, Subject: i.Subject, Owner: i.Owner, OpenedAt: i.Since}, d.err
		}
	}
	closed := noon
	return replay.Case{Ref: ref, ClosedAt: &closed, Resolution: "paid by hand", ResolvedBy: "ben"}, d.err
}

// Explain implements tui.Desk.
func (d *desk) Explain(ctx context.Context, s replay.Subject) (replay.Story, error) {
	if err := d.wait(ctx); err != nil {
		return replay.Story{}, err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	story := d.story
	story.Subject = s
	story.Missing = slices.Clone(story.Missing)
	return story, d.err
}

// Run implements tui.Desk as the library documents it.
func (d *desk) Run(ctx context.Context, o replay.RunOptions) ([]replay.Result, error) {
	var results []replay.Result
	for n, s := range o.Subjects {
		if ctx.Err() != nil {
			return results, &replay.PartialError{Done: n, Left: len(o.Subjects) - n, Err: ctx.Err()}
		}
		d.change(func(d *desk) { d.sent = append(d.sent, s) })
		if d.holdRun != nil {
			<-d.holdRun
		}
		r := d.result(s)
		results = append(results, r)
		o.Progress(r, n+1, len(o.Subjects))
	}
	return results, nil
}

func (d *desk) act(format string, args ...any) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.acts = append(d.acts, fmt.Sprintf(format, args...))
	return d.refuse
}

// Claim implements tui.Desk.
func (d *desk) Claim(_ context.Context, ref replay.Ref, over bool) error {
	return d.act("claim %s %t", ref, over)
}

// Release implements tui.Desk.
func (d *desk) Release(_ context.Context, ref replay.Ref) error { return d.act("release %s", ref) }

// Note implements tui.Desk.
func (d *desk) Note(_ context.Context, ref replay.Ref, text string) error {
	return d.act("note %s %s", ref, text)
}

// Resolve implements tui.Desk.
func (d *desk) Resolve(_ context.Context, ref replay.Ref, why string) error {
	return d.act("resolve %s %s", ref, why)
}

// noon is when tests are.
var noon = time.Date(2026, 3, 4, 12, 3, 4, 0, time.UTC)

// item makes the n-th thing that is stuck. The lower, the older.
func item(n int) replay.Item {
	return replay.Item{
		Subject: replay.Subject{Type: replay.Deposit, ID: fmt.Sprintf("dep_%04d", n)},
		Case:    replay.Ref{Schema: "casino", Number: int64(n)},
		Kind:    "credit_exhausted", Status: "confirmed", Brand: []string{"acme", "bravo"}[n%2],
		User: fmt.Sprintf("player-%d", n), Currency: "EUR", Amount: walletcore.MustParseMoney(fmt.Sprintf("%d.50", 10+n)),
		Attempts: 6, Class: "unavailable", LastError: fmt.Sprintf("credit deposit dep_%04d: gaming does not answer", n),
		Since: noon.Add(-time.Duration(20_000-n) * time.Minute),
	}
}

func items(n int) []replay.Item {
	all := make([]replay.Item, n)
	for i := range all {
		all[i] = item(i + 1)
	}
	return all
}

func credited(s replay.Subject) replay.Result {
	return replay.Result{Subject: s, Outcome: replay.Done, Status: "credited", Receipt: &walletcore.Receipt{
		Seq: 3, RealAfter: walletcore.MustParseMoney("11.50"),
	}}
}

// mixed is one of everything that can be stuck, with odd data in it.
func mixed() []replay.Item {
	all := items(4)
	all[1].User, all[1].LastError = "山田太郎🎰", "\x1b[2Jgone\x1b]0;title\x07"
	all[1].Currency, all[1].Amount = "JPY", walletcore.MustParseMoney("9000")
	all[2].Subject = replay.Subject{Type: replay.Withdrawal, ID: "wd_0003"}
	all[2].Kind, all[2].Status, all[2].Owner = "debit_invalid", "requested", "ben"
	all[2].User, all[2].Class, all[2].LastError = "zoe\u0301", "invalid", "amount\u202e is\r\nwrong\u200b ❤\ufe0f"
	all[3].Subject = replay.Subject{Type: replay.Effect, ID: "dep_0001/promotions"}
	all[3].Kind, all[3].Status, all[3].Owner = "effect_exhausted", "credited", "anna"
	return all
}
