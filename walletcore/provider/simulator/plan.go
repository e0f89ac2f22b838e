package simulator

import (
	"math/rand/v2"

	"github.com/walletctl/walletctl/walletcore"
	"github.com/walletctl/walletctl/walletcore/provider"
)

// Plan is all that is sent, but for the money that is funded on the way and
// for what is sent again because nobody answered.
type Plan struct {
	Players []Player
}

// Player is one player's rounds, in their order.
type Player struct {
	ID     string
	Rounds []Round
}

// Round is one scenario.
type Round struct {
	ID       string
	Scenario Scenario
	Steps    []Step
	// Needs is what the player must have before it.
	Needs walletcore.Money
}

// Step is what is sent at the same time; the next one begins when all of it is
// answered.
type Step struct {
	Calls  []Call
	Copies int   // of each call; 0 is one
	Cuts   []Cut // how the connection of each call breaks, before it is sent whole
}

// Call is one request.
type Call struct {
	Round   string
	Actions []Action
	Forged  bool // signed with another secret
}

// Action is a bet, a win or a rollback of a call.
type Action struct {
	Kind   provider.Kind // Bet, Win or Rollback
	ID     string        // its own
	Undoes string        // of a rollback: the id of the bet or win
	Bet    string        // of a win: the bet it is for, where the dialect can say so
	// Amount in the main unit. Of a rollback it may be zero, which leaves it out.
	Amount walletcore.Money
	// All adds what the player has when the call is made.
	All bool
}

// NewPlan makes the plan of the options. The same options, [Options.Run]
// included, give the same plan; another Run gives the same but for the ids.
func NewPlan(o Options) (Plan, error) {
	if err := o.prepare(); err != nil {
		return Plan{}, err
	}
	return makePlan(&o), nil
}

func makePlan(o *Options) Plan {
	plan := Plan{Players: make([]Player, o.Players)}
	for i := range plan.Players {
		plan.Players[i] = planPlayer(o, i)
	}
	return plan
}

func planPlayer(o *Options, number int) Player {
	// A stream of its own for each: another number of players changes nothing
	// for those that stay.
	rng := rand.New(rand.NewPCG(o.Seed, uint64(number)))
	t := o.dialect.traits()
	kinds, total := mix(o, &t)
	player := Player{ID: userID(o, number)}
	for i := range o.Rounds {
		b := newBuilder(o, &t, rng, number, i)
		kind := pick(kinds, rng.IntN(total))
		player.Rounds = append(player.Rounds, b.round(&kind))
	}
	player.Rounds = append(player.Rounds, lateRound(rng, player.Rounds))
	return player
}

func pick(kinds []kindOfRound, at int) kindOfRound {
	for _, kind := range kinds {
		if at -= kind.weight; at < 0 {
			return kind
		}
	}
	return kinds[len(kinds)-1]
}

// repeatable are the scenarios whose calls all succeed, and can be sent again
// whatever came after them.
var repeatable = map[Scenario]bool{
	Won: true, Lost: true, Together: true, Mixed: true, Duplicates: true, Burst: true, RefundedBet: true, CutOff: true,
}

const lateCalls = 8

// lateRound sends some old calls again, each as it was.
func lateRound(rng *rand.Rand, rounds []Round) Round {
	late := Round{ID: "late", Scenario: LateDuplicates}
	var old []Call
	for i := range rounds {
		if !repeatable[rounds[i].Scenario] {
			continue
		}
		for _, step := range rounds[i].Steps {
			old = append(old, step.Calls...)
		}
	}
	for range min(lateCalls, len(old)) {
		late.Steps = append(late.Steps, Step{Calls: []Call{old[rng.IntN(len(old))]}})
	}
	return late
}

// needs is what covers all bets of a round.
func needs(steps []Step) walletcore.Money {
	var sum walletcore.Money
	for _, step := range steps {
		for _, call := range step.Calls {
			for _, action := range call.Actions {
				if action.Kind == provider.Bet {
					sum = sum.Add(action.Amount)
				}
				if action.All { // of nothing would be a bet of nothing
					sum = sum.Add(walletcore.MoneyFromUnits(1))
				}
			}
		}
	}
	return sum
}
