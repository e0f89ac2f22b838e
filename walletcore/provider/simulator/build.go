package simulator

import (
	"math/rand/v2"

	"github.com/walletctl/walletctl/walletcore"
	"github.com/walletctl/walletctl/walletcore/provider"
)

// maxStake is the greatest amount of a bet or a win, in the provider's unit.
const maxStake = 500

// builder makes the steps of one round.
type builder struct {
	o       *Options
	t       *traits
	rng     *rand.Rand
	ids     ids
	roundID string
}

func newBuilder(o *Options, t *traits, rng *rand.Rand, player, round int) *builder {
	b := &builder{o: o, t: t, rng: rng, ids: ids{run: runName(o), player: player, round: round}}
	b.ids.style = styles[rng.IntN(len(styles))]
	b.roundID = b.ids.next("r")
	return b
}

func (b *builder) round(kind *kindOfRound) Round {
	steps := kind.compose(b)
	if !kind.firm {
		b.cut(steps)
	}
	return Round{ID: b.roundID, Scenario: kind.scenario, Steps: steps, Needs: needs(steps)}
}

// cut breaks the connections of some steps.
func (b *builder) cut(steps []Step) {
	for i := range steps {
		if steps[i].Copies <= 1 && len(steps[i].Cuts) == 0 && b.rng.IntN(100) < b.o.Cut {
			steps[i].Cuts = b.cuts()
		}
	}
}

// cuts are one to three, of any kind; there is a retry for each.
func (b *builder) cuts() []Cut {
	cuts := make([]Cut, min(1+b.rng.IntN(3), len(b.o.Retries)))
	for i := range cuts {
		cuts[i] = allCuts[b.rng.IntN(len(allCuts))]
	}
	return cuts
}

// unit is the smallest amount that the provider counts.
func (b *builder) unit() walletcore.Money { return walletcore.MoneyFromUnits(b.o.step) }

func (b *builder) amount() walletcore.Money {
	return walletcore.MoneyFromUnits(b.o.step * (1 + b.rng.Int64N(maxStake)))
}

func (b *builder) bet() Action {
	return Action{Kind: provider.Bet, ID: b.ids.next("b"), Amount: b.amount()}
}

func (b *builder) win(bet *Action) Action {
	return Action{Kind: provider.Win, ID: b.ids.next("w"), Bet: bet.ID, Amount: b.amount()}
}

// undo rolls an action back; every other time it tells the amount.
func (b *builder) undo(of *Action) Action {
	undo := Action{Kind: provider.Rollback, ID: b.ids.next("x"), Undoes: of.ID}
	if b.rng.IntN(2) == 0 && !of.All {
		undo.Amount = of.Amount
	}
	return undo
}

func (b *builder) call(actions ...Action) Call { return Call{Round: b.roundID, Actions: actions} }

// one sends the actions in one call.
func (b *builder) one(actions ...Action) Step { return Step{Calls: []Call{b.call(actions...)}} }

// copies sends the call of one action many times at once.
func (b *builder) copies(action Action) Step {
	step := b.one(action)
	step.Copies = max(2, min(b.o.Concurrency, maxCopies))
	return step
}

// atOnce sends a call for each action.
func (b *builder) atOnce(actions ...Action) Step {
	var step Step
	for _, action := range actions {
		step.Calls = append(step.Calls, b.call(action))
	}
	return step
}

const maxCopies = 8
