package simulator

import (
	"net/http"
	"time"

	"github.com/walletctl/walletctl/walletcore"
	"github.com/walletctl/walletctl/walletcore/provider"
	"github.com/walletctl/walletctl/walletcore/signature"
)

// The defaults of [Options].
const (
	DefaultPlayers     = 5
	DefaultRounds      = 200
	DefaultConcurrency = 8
	DefaultCut         = 10
	DefaultTimeout     = 10 * time.Second
	DefaultSpeed       = 36_000
	DefaultMaxFindings = 100
	// DefaultFund in the provider's units.
	DefaultFund = 10_000
)

// The limits of [Options].
const (
	MaxPlayers     = 1_000
	MaxRounds      = 10_000
	MaxConcurrency = 256
	maxRunID       = 32
)

// DefaultRetries is how long a provider waits before each time that it sends
// again: nearly eight hours in all.
func DefaultRetries() []time.Duration {
	return []time.Duration{
		time.Second, 5 * time.Second, 30 * time.Second, 2 * time.Minute, 10 * time.Minute, 30 * time.Minute,
		time.Hour, 2 * time.Hour, 4 * time.Hour,
	}
}

// Options say whom the simulator plays, and how. What is said of the provider
// has to be what its profile at the service says.
type Options struct {
	// URL of the service: calls go to URL/providers/{brand}/{provider}/{operation}.
	URL      string
	Brand    string
	Provider string // the name in the URL
	Dialect  string // one of DialectNames
	Secret   []byte // signs every call; at least provider.MinSecret bytes
	// Signature replaces how the header is written, in standard and subunits.
	Signature *signature.Form
	Currency  string
	// Unit is the decimal places of the smallest amount that is played; in
	// process and subunits amounts are integers of it. Nil means the currency's
	// minor unit.
	Unit *int
	// Policy is what the contract answers. An empty answer is the dialect's
	// default.
	Policy provider.Policy
	// Codes replace those of the dialect, by reason.
	Codes map[provider.Reason]provider.Code

	// Players is their number. 0 means DefaultPlayers, or all Users.
	Players int
	// Users are ids of players that exist. Empty: ids are made of Run and Seed.
	Users []string
	// Rounds of each player. 0 means DefaultRounds.
	Rounds int
	// Seed decides all that is planned; 0 is a seed like any other.
	Seed uint64
	// Run tells this run's ids apart from those of every other: 1 to 32 of a-z,
	// 0-9 and "-". Empty: it is made of the time.
	Run string
	// Concurrency is how many calls are under way at most. 0 means
	// DefaultConcurrency. As many copies, but 2 to 8, are sent of a call that is
	// sent many times at once.
	Concurrency int
	// Mix replaces the weights of scenarios; 0 leaves one out.
	Mix map[Scenario]int
	// Cut is of how many calls in a hundred the connection breaks. 0 means
	// DefaultCut, a negative one none.
	Cut int
	// Fund is what a win without a bet brings a player who has too little for a
	// round. Zero means DefaultFund units.
	Fund walletcore.Money
	// NoFund leaves such rounds out instead. Where the policy refuses a win
	// without a bet they always are.
	NoFund bool

	// Retries are the waits before a call without an answer, or with a status of
	// 500 or above, is sent again; after the last one it is a finding. Nil means
	// DefaultRetries.
	Retries []time.Duration
	// Timeout of one request. 0 means DefaultTimeout.
	Timeout time.Duration
	// Clock passes the waits. Nil means a FastClock of DefaultSpeed.
	Clock Clock
	// Client sends. Nil means one of its own, which follows no redirects.
	Client *http.Client
	// Progress, if set, is called after each round, one call at a time.
	Progress func(Progress)
	// MaxFindings are listed; all are counted. 0 means DefaultMaxFindings.
	MaxFindings int

	dialect dialect
	step    int64 // units of Money in one unit
}

// Progress is how far a run has come.
type Progress struct {
	Rounds, Total int
	Findings      int
}

// Validate refuses options that cannot be played. The error is an
// *OptionError.
func (o *Options) Validate() error {
	prepared := *o
	return prepared.prepare()
}

// funds reports whether players may get money from wins without bets.
func (o *Options) funds() bool {
	return !o.NoFund && o.Policy.WinWithoutBet != provider.Refused
}
