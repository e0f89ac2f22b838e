package simulator

// turn is one place in an order of calls; a ghost's answer nobody saw.
type turn struct {
	index int
	ghost bool
}

// orders lists the orders in which a service may have taken the calls of a
// step. Copies of one call are alike, so that they have a single order.
func orders(calls []sent) [][]turn {
	same := true
	for i := range calls {
		same = same && calls[i].call == calls[0].call
	}
	if same {
		order := make([]turn, len(calls))
		for i := range order {
			order[i].index = i
		}
		return [][]turn{order}
	}
	var turns []turn
	for i := range calls {
		if calls[i].ghost {
			turns = append(turns, turn{i, true})
		}
		turns = append(turns, turn{i, false})
	}
	return permute(nil, turns)
}

// permute lists the ways to take turns, a ghost's before its own call's.
func permute(taken, left []turn) (all [][]turn) {
	if len(left) == 0 {
		return [][]turn{append([]turn(nil), taken...)}
	}
	for i, next := range left {
		if i > 0 && left[i-1] == (turn{next.index, true}) {
			continue
		}
		rest := append(append([]turn(nil), left[:i]...), left[i+1:]...)
		all = append(all, permute(append(taken, next), rest)...)
	}
	return all
}

// follow plays the calls in an order. It returns what is wrong with each answer,
// how many are wrong, and the verdicts.
func (s *session) follow(calls []sent, order []turn) (wrong []*mismatch, n int, verdicts []verdict) {
	wrong, verdicts = make([]*mismatch, len(calls)), make([]verdict, len(calls))
	for _, at := range order {
		v := s.model.apply(calls[at.index].call)
		if at.ghost {
			continue
		}
		verdicts[at.index], wrong[at.index] = v, s.compare(&v, &calls[at.index])
		if wrong[at.index] != nil {
			n++
		}
	}
	return wrong, n, verdicts
}

// explain finds the order that fits the answers, or fits them best, and leaves
// the model there.
func (s *session) explain(calls []sent) ([]*mismatch, []verdict) {
	start := s.model.bookmark()
	var best []turn
	least := len(calls) + 1
	for _, order := range orders(calls) {
		_, n, _ := s.follow(calls, order)
		s.model.back(start)
		if n < least {
			best, least = order, n
		}
	}
	wrong, _, verdicts := s.follow(calls, best)
	return wrong, verdicts
}
