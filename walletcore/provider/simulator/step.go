package simulator

import "context"

// step sends a step's calls, all at once, and judges the answers together.
// After a finding the model takes the balance that the service tells, so that
// what follows from one fault is not found again.
func (s *session) step(ctx context.Context, scenario Scenario, step *Step) error {
	var calls []sent
	var requests []*request
	for i := range step.Calls {
		call := s.settle(&step.Calls[i])
		message := s.run.options.dialect.play(s.wallet, call)
		signed := newRequest(s.run.options, &s.traits.signature, message, call.Forged)
		for range max(step.Copies, 1) {
			calls, requests = append(calls, sent{call: call}), append(requests, signed)
		}
	}
	s.run.report.sent(scenario, len(calls))
	found := s.found
	if err := s.send(ctx, calls, requests, step.Cuts); err != nil {
		return err
	}
	wrong, verdicts := s.explain(calls)
	for i := range calls {
		if wrong[i] == nil && calls[i].got.success {
			wrong[i] = s.learn(calls[i].call, &verdicts[i], &calls[i].got.answer)
		}
		s.find(scenario, calls[i].call, requests[i], wrong[i])
	}
	if s.found > found {
		return s.accept(ctx, scenario, "")
	}
	return nil
}

// settle is the call with all amounts known.
func (s *session) settle(call *Call) *Call {
	settled := *call
	settled.Actions = append([]Action(nil), call.Actions...)
	for i := range settled.Actions {
		if action := &settled.Actions[i]; action.All {
			action.Amount = action.Amount.Add(s.model.shown())
		}
	}
	return &settled
}
