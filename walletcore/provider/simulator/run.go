package simulator

import (
	"context"
	"sync"
)

// run is what all players of a run share.
type run struct {
	options *Options
	client  *client
	report  *gathering
}

// Run plays all players at the same time and returns what it saw. Findings are
// no error. The error is an *OptionError or a *StartError, before anything was
// played, or the context's: then the report tells what was seen until then.
func Run(ctx context.Context, o Options) (Report, error) {
	if err := o.prepare(); err != nil {
		return Report{}, err
	}
	plan, began := makePlan(&o), o.Clock.Now()
	r := newRun(&o)
	if err := r.start(ctx, &plan.Players[0]); err != nil {
		return r.report.close(), err
	}
	var group sync.WaitGroup
	for i := range plan.Players {
		group.Go(func() { _ = r.session(i, &plan.Players[i]).play(ctx, &plan.Players[i]) })
	}
	group.Wait()
	r.report.change(func(report *Report) {
		report.Interrupted = ctx.Err() != nil
		report.DurationMillis = o.Clock.Now().Sub(began).Milliseconds()
	})
	return r.report.close(), ctx.Err()
}

func newRun(o *Options) *run {
	report := &gathering{
		scenarios: map[Scenario]*ScenarioCount{}, statuses: map[int]int{}, most: o.MaxFindings, progress: o.Progress,
		total: o.Players * (o.Rounds + 1),
		report: Report{
			SchemaVersion: 1, Brand: o.Brand, Provider: o.Provider, Dialect: o.Dialect, Currency: o.Currency,
			Seed: o.Seed, Run: o.Run, Players: o.Players,
			Scenarios: []ScenarioCount{}, Statuses: []StatusCount{}, Findings: []Finding{},
		},
	}
	slots := make(chan struct{}, o.Concurrency)
	return &run{options: o, report: report, client: &client{options: o, slots: slots, report: report}}
}

func (r *run) session(number int, player *Player) *session {
	t := r.options.dialect.traits()
	if r.options.Signature != nil {
		t.signature = *r.options.Signature
	}
	return &session{
		run: r, traits: t, number: number, seen: map[string]*record{},
		wallet: wallet{user: player.ID, currency: r.options.Currency, step: r.options.step},
		model:  newModel(r.options.Policy, t.rollbacks),
	}
}

// start asks for one balance: that a service is not there, or does not know the
// provider, is said once and not for every player.
func (r *run) start(ctx context.Context, player *Player) error {
	s := r.session(0, player)
	first := []sent{{call: &Call{}}}
	message := r.options.dialect.look(s.wallet, "")
	asked := newRequest(r.options, &s.traits.signature, message, false)
	if err := s.send(ctx, first, []*request{asked}, nil); err != nil {
		return err
	}
	switch got := &first[0].got; {
	case got.lost != nil:
		return &StartError{Err: got.lost}
	case got.unreadable != nil:
		return &StartError{Status: got.status, Err: got.unreadable}
	case !got.success:
		return &StartError{Status: got.status, Code: got.code}
	}
	return nil
}
