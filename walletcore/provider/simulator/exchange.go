package simulator

import (
	"context"
	"net/http"
	"sync"

	"github.com/walletctl/walletctl/walletcore/strictjson"
)

// sent is a call of a step and what came back for it.
type sent struct {
	call *Call
	// ghost: an earlier copy went out and was not answered. It may have been
	// taken before, or never.
	ghost bool
	got   outcome
}

// outcome is an answer, or why there is none to judge.
type outcome struct {
	answer
	lost       error // no answer
	unreadable error // one that is not the dialect's
}

// send sends all calls at once, each until it is answered. The error is the
// context's.
func (s *session) send(ctx context.Context, calls []sent, requests []*request, cuts []Cut) error {
	var group sync.WaitGroup
	failed := make([]error, len(calls))
	for i := range calls {
		group.Go(func() {
			var got reply
			got, failed[i] = s.run.client.send(ctx, requests[i], cuts)
			calls[i].ghost, calls[i].got = got.again, s.read(calls[i].call, &got)
		})
	}
	group.Wait()
	for _, err := range failed {
		if err != nil {
			return err
		}
	}
	return nil
}

func (s *session) read(call *Call, got *reply) outcome {
	out := outcome{answer: answer{status: got.status}, lost: got.lost}
	if got.lost != nil {
		return out
	}
	body, err := strictjson.Parse(got.body)
	if err == nil {
		// A profile may refuse with 200.
		success := got.status == http.StatusOK && !body.Has("code") && !body.Has("error")
		out.answer, err = s.run.options.dialect.read(s.wallet, call, body, success)
		out.status, out.success = got.status, success
	}
	out.unreadable = err
	return out
}

// check asks for the balance, at the end of a round, and compares it with the
// model's.
func (s *session) check(ctx context.Context, scenario Scenario, round string) error {
	return s.look(ctx, scenario, round, true)
}

// accept asks for the balance and takes it for the model's.
func (s *session) accept(ctx context.Context, scenario Scenario, round string) error {
	return s.look(ctx, scenario, round, false)
}

func (s *session) look(ctx context.Context, scenario Scenario, round string, compare bool) error {
	call := &Call{Round: round}
	asked := newRequest(s.run.options, &s.traits.signature, s.run.options.dialect.look(s.wallet, round), false)
	looked := []sent{{call: call}}
	if err := s.send(ctx, looked, []*request{asked}, nil); err != nil {
		return err
	}
	got := &looked[0].got
	want := verdict{balance: s.model.shown(), moved: true}
	if !compare && got.balance != nil {
		want.balance = *got.balance
	}
	s.find(scenario, call, asked, s.compare(&want, &looked[0]))
	if !got.success || got.balance == nil {
		return errGone
	}
	if *got.balance != s.model.shown() {
		s.model.balance = *got.balance
	}
	return nil
}
