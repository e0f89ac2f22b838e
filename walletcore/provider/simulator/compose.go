package simulator

func (b *builder) won() []Step {
	bet := b.bet()
	return []Step{b.one(bet), b.one(b.win(&bet))}
}

func (b *builder) lost() []Step {
	bet := b.bet()
	win := b.win(&bet)
	win.Amount = zero
	return []Step{b.one(bet), b.one(win)}
}

func (b *builder) together() []Step {
	bet := b.bet()
	win := b.win(&bet)
	return []Step{b.one(bet, win), b.one(bet, win)}
}

func (b *builder) mixed() []Step {
	bet := b.bet()
	next := b.win(&bet)
	if b.t.lists {
		next = b.bet()
	}
	return []Step{b.one(bet), b.one(bet, next), b.one(bet), b.one(bet, next)}
}

func (b *builder) duplicates() []Step {
	bet := b.bet()
	win := b.win(&bet)
	return []Step{b.one(bet), b.one(bet), b.one(win), b.one(bet), b.one(win)}
}

func (b *builder) burst() []Step {
	bet := b.bet()
	win := b.win(&bet)
	return []Step{b.copies(bet), b.copies(win), b.one(bet)}
}

func (b *builder) refunded() []Step {
	bet := b.bet()
	refund := b.undo(&bet)
	return []Step{b.one(bet), b.one(refund), b.one(refund), b.one(b.undo(&bet)), b.one(bet)}
}

func (b *builder) refundBurst() []Step {
	bet := b.bet()
	return []Step{b.one(bet), b.copies(b.undo(&bet))}
}

func (b *builder) refundAfterWin() []Step {
	bet := b.bet()
	return []Step{b.one(bet), b.one(b.win(&bet)), b.one(b.undo(&bet))}
}

func (b *builder) earlyRollback() []Step {
	bet := b.bet()
	rollback := b.undo(&bet)
	return []Step{b.one(rollback), b.one(bet), b.one(rollback), b.one(bet)}
}

// earlyRollbacks come in one call, as do their bet and win, where the dialect
// can. Where it rolls back bets alone they are of two bets.
func (b *builder) earlyRollbacks() []Step {
	bet, other := b.bet(), b.bet()
	if b.t.lists {
		win := b.win(&bet)
		first, late := b.one(b.undo(&bet), b.undo(&win)), b.one(bet, win)
		return []Step{first, late, first, late}
	}
	return []Step{b.one(b.undo(&bet)), b.one(b.undo(&other)), b.one(bet), b.one(other)}
}

// winFirst sends the win again after its bet: where it was refused for want of
// one it is taken now.
func (b *builder) winFirst() []Step {
	bet := b.bet()
	win := b.win(&bet)
	return []Step{b.one(win), b.one(bet), b.one(win)}
}

func (b *builder) rolledBackWin() []Step {
	bet := b.bet()
	win := b.win(&bet)
	rollback := b.undo(&win)
	return []Step{b.one(bet), b.one(win), b.one(rollback), b.one(rollback), b.one(win)}
}

func (b *builder) race() []Step {
	bet := b.bet()
	rollback := b.undo(&bet)
	return []Step{b.atOnce(bet, rollback), b.one(rollback), b.one(bet)}
}

func (b *builder) twoBets() []Step {
	return []Step{b.atOnce(b.bet(), b.bet())}
}

// lastMoney rolls both bets back: one of them was never there.
func (b *builder) lastMoney() []Step {
	one, two := b.bet(), b.bet()
	one.Amount, one.All = zero, true
	two.Amount, two.All = zero, true
	return []Step{b.atOnce(one, two), b.one(b.undo(&one)), b.one(b.undo(&two))}
}

func (b *builder) otherAmount() []Step {
	bet := b.bet()
	win := b.win(&bet)
	return []Step{
		b.one(bet), b.one(b.more(bet)), b.one(bet),
		b.one(win), b.one(b.more(win)), b.one(win),
	}
}

// more asks for one unit more.
func (b *builder) more(action Action) Action {
	action.Amount = action.Amount.Add(b.unit())
	return action
}

// noFunds asks for one unit more than there is, where the dialect can behind a
// bet that would be covered: the call is refused whole.
func (b *builder) noFunds() []Step {
	bet := b.bet()
	much := bet
	much.Amount, much.All = b.unit(), true
	if b.t.lists {
		much.ID = b.ids.next("b")
		return []Step{b.one(bet, much), b.one(bet)}
	}
	return []Step{b.one(much), b.one(much), b.one(bet)}
}

func (b *builder) oddIDs() []Step {
	one, two := b.bet(), b.bet()
	one.ID, two.ID = b.ids.alike(b.rng.IntN(alikeForms))
	return []Step{b.one(one), b.one(two), b.one(one), b.one(b.undo(&two)), b.one(one)}
}

func (b *builder) cutOff() []Step {
	bet := b.bet()
	steps := []Step{b.one(bet), b.one(b.win(&bet))}
	for i := range steps {
		steps[i].Cuts = b.cuts()
	}
	return steps
}

func (b *builder) forged() []Step {
	bet := b.bet()
	forged := b.one(bet)
	forged.Calls[0].Forged = true
	return []Step{forged, b.one(bet), b.one(b.win(&bet))}
}
