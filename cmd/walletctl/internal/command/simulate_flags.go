package command

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/walletctl/walletctl/cmd/walletctl/internal/output"
	"github.com/walletctl/walletctl/walletcore/provider/simulator"
)

// simulateFlags are the flags of simulate provider.
type simulateFlags struct {
	options               simulator.Options
	secretEnv, secretFile string
	unit, speed           int
	fund, signature       string
	mix                   map[string]int
	codes                 []string
	policy                map[string]*string // by the question
	format                *output.Choice
}

// simulatedPolicies are the questions of a policy that the simulator plays.
var simulatedPolicies = []struct{ name, usage string }{
	{"duplicate_balance", "which balance a duplicate returns: first, current"},
	{"late_bet", "a bet or win after its own rollback: refused, accepted"},
	{"unknown_rollback", "a rollback of nothing: accepted, refused"},
	{"refund_after_win", "a refund of a bet that has its win: refused, accepted"},
	{"win_without_bet", "a win that resolves no bet: real, bonus, refused"},
	{"win_rollback", "a rollback of a win that the balance does not cover: refused, debt"},
}

func (c *simulateFlags) add(cmd *cobra.Command) {
	o, flags := &c.options, cmd.Flags()
	flags.StringVar(&o.URL, "url", "", "the service, such as http://localhost:8080 (required)")
	flags.StringVar(&o.Brand, "brand", "", "brand in the URL of a call (required)")
	flags.StringVar(&o.Provider, "provider", "", "provider in the URL of a call (required)")
	flags.StringVar(&o.Dialect, "dialect", "", "contract to talk: "+strings.Join(simulator.DialectNames(), ", ")+" (required)")
	flags.StringVar(&c.secretEnv, "secret-env", "", "environment variable that holds the secret")
	flags.StringVar(&c.secretFile, "secret-file", "", "file that holds the secret")
	flags.StringVar(&c.signature, "signature", "", "header of the signature where it is not the dialect's, HEADER:ENCODING[:PREFIX]")
	flags.StringVar(&o.Currency, "currency", "EUR", "currency of all players")
	flags.IntVar(&c.unit, "unit", -1, "decimal places of the provider's unit (-1: the currency's)")
	flags.StringArrayVar(&c.codes, "code", nil, "what a reason is refused with, REASON=STATUS/CODE; may be repeated")
	flags.IntVar(&o.Players, "players", simulator.DefaultPlayers, "players, all at the same time")
	flags.StringArrayVar(&o.Users, "user", nil, "id of an existing player, instead of --players; may be repeated")
	flags.IntVar(&o.Rounds, "rounds", simulator.DefaultRounds, "rounds of each player")
	flags.Uint64Var(&o.Seed, "seed", 1, "what all rounds are drawn from")
	flags.StringVar(&o.Run, "run", "", "name that stands in every id, for no other run (default: made of the time)")
	flags.IntVar(&o.Concurrency, "concurrency", simulator.DefaultConcurrency, "calls under way at most")
	flags.StringToIntVar(&c.mix, "mix", nil, "weights of scenarios, 0 leaves one out: "+strings.Join(simulator.Scenarios(), ", "))
	flags.IntVar(&o.Cut, "cut", simulator.DefaultCut, "of how many calls in a hundred the connection breaks")
	flags.StringVar(&c.fund, "fund", "", "what a win without a bet brings who has too little (default: 10000 units)")
	flags.BoolVar(&o.NoFund, "no-fund", false, "skip a round for which the player has too little")
	flags.IntVar(&c.speed, "speed", simulator.DefaultSpeed, "how many times faster the clock of retries runs; 1 is real time")
	flags.DurationVar(&o.Timeout, "timeout", simulator.DefaultTimeout, "how long one answer may take")
	c.policy = map[string]*string{}
	for _, p := range simulatedPolicies {
		c.policy[p.name] = flags.String(strings.ReplaceAll(p.name, "_", "-"), "", p.usage)
	}
	cmd.MarkFlagsMutuallyExclusive("secret-env", "secret-file")
	cmd.MarkFlagsMutuallyExclusive("user", "players")
	cmd.MarkFlagsMutuallyExclusive("fund", "no-fund")
	_ = cmd.MarkFlagFilename("secret-file")
	complete(cmd, "dialect", simulator.DialectNames()...)
	addOutput(cmd, c.format)
}
