package simulator_test

import (
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/walletcore"
	"github.com/walletctl/walletctl/walletcore/provider"
	"github.com/walletctl/walletctl/walletcore/provider/simulator"
)

var secret = []byte("the-secret-of-acme-games")

func options(dialect string) simulator.Options {
	return simulator.Options{
		URL: "http://gaming", Brand: "acme", Provider: "games", Dialect: dialect, Secret: secret,
		Currency: "EUR", Players: 3, Rounds: 300, Seed: 42, Run: "run",
	}
}

func planOf(t *testing.T, o simulator.Options) simulator.Plan {
	t.Helper()
	plan, err := simulator.NewPlan(o)
	require.NoError(t, err)
	return plan
}

func TestPlan_IsTheSameFromTheSameSeed(t *testing.T) {
	t.Parallel()
	for _, dialect := range simulator.DialectNames() {
		first := planOf(t, options(dialect))
		require.True(t, reflect.DeepEqual(first, planOf(t, options(dialect))))

		other := options(dialect)
		other.Seed++
		require.False(t, reflect.DeepEqual(first, planOf(t, other)))

		more := options(dialect)
		more.Players++
		require.True(t, reflect.DeepEqual(first.Players, planOf(t, more).Players[:3]))
	}
}

func TestPlan_OfAnotherRunHasOtherIDsAlone(t *testing.T) {
	t.Parallel()
	o := options("process")
	first := planOf(t, o)
	o.Run = "other"
	second := planOf(t, o)
	seen := map[string]bool{}
	for i, player := range first.Players {
		for j, round := range player.Rounds {
			again := second.Players[i].Rounds[j]
			require.Equal(t, round.Scenario, again.Scenario)
			require.Equal(t, round.Needs, again.Needs)
			require.Len(t, again.Steps, len(round.Steps))
			for _, id := range idsOf(&round) {
				seen[id] = true
			}
		}
	}
	for _, player := range second.Players {
		for j := range player.Rounds {
			for _, id := range idsOf(&player.Rounds[j]) {
				require.False(t, seen[id], id)
			}
		}
	}
}

func idsOf(round *simulator.Round) (ids []string) {
	for _, step := range round.Steps {
		for _, call := range step.Calls {
			for _, action := range call.Actions {
				ids = append(ids, action.ID)
			}
		}
	}
	return ids
}

// A bet's id is a round's own, but where it comes again on purpose.
func TestPlan_SharesNoIDBetweenRounds(t *testing.T) {
	t.Parallel()
	owner := map[string]string{}
	plan := planOf(t, options("softswiss"))
	require.Len(t, plan.Players, 3)
	require.Equal(t, strings.ToLower(plan.Players[1].ID), plan.Players[0].ID, "players that differ in case alone")
	require.NotEqual(t, plan.Players[0].ID, plan.Players[1].ID)
	styles := map[int]bool{}
	for _, player := range plan.Players {
		for i := range player.Rounds {
			round := &player.Rounds[i]
			if round.Scenario == simulator.LateDuplicates {
				require.NotEmpty(t, round.Steps)
				continue
			}
			for _, id := range idsOf(round) {
				require.NoError(t, walletcore.CheckID("id", id, walletcore.MaxGivenID))
				styles[len(id)] = true
				place := player.ID + " " + round.ID
				require.Equal(t, place, orOwn(owner, id, place))
			}
		}
	}
	require.True(t, styles[19] && styles[255], "ids of 19 digits and of 255 bytes")
}

func orOwn(owner map[string]string, id, place string) string {
	if owner[id] == "" {
		owner[id] = place
	}
	return owner[id]
}

func TestPlan_HoldsWhatTheDialectCanSend(t *testing.T) {
	t.Parallel()
	for dialect, most := range map[string]int{"process": 2, "softswiss": 2, "standard": 2, "subunits": 1} {
		widest := 0
		for _, player := range planOf(t, options(dialect)).Players {
			for _, round := range player.Rounds {
				for _, step := range round.Steps {
					for _, call := range step.Calls {
						widest = max(widest, len(call.Actions))
						requireSendable(t, dialect, &call)
					}
				}
			}
		}
		require.Equal(t, most, widest, dialect)
	}
}

// requireSendable: softswiss has an operation for rollbacks alone, standard one
// for a bet with its win.
func requireSendable(t *testing.T, dialect string, call *simulator.Call) {
	t.Helper()
	rollbacks := 0
	for _, action := range call.Actions {
		if action.Kind == provider.Rollback {
			rollbacks++
		}
	}
	require.Contains(t, []int{0, len(call.Actions)}, rollbacks)
	if dialect == "standard" && len(call.Actions) == 2 {
		require.Equal(t, provider.Bet, call.Actions[0].Kind)
		require.Equal(t, provider.Win, call.Actions[1].Kind)
	}
}

// A copy of a refused call that arrives late could succeed then.
func TestPlan_CutsNothingWhoseRefusalIsNotFinal(t *testing.T) {
	t.Parallel()
	o := options("process")
	o.Cut, o.Policy.WinWithoutBet = 100, provider.Refused
	for _, player := range planOf(t, o).Players {
		for _, round := range player.Rounds {
			for _, step := range round.Steps {
				switch round.Scenario {
				case simulator.NoFunds, simulator.LastMoney, simulator.WinFirst, simulator.LateDuplicates:
					require.Empty(t, step.Cuts, round.Scenario)
				default:
					require.Equal(t, step.Copies <= 1, len(step.Cuts) > 0, round.Scenario)
				}
			}
		}
	}
}
