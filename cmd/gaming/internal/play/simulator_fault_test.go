package play_test

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/cmd/gaming/internal/play"
	"github.com/walletctl/walletctl/walletcore"
	"github.com/walletctl/walletctl/walletcore/ledger"
	"github.com/walletctl/walletctl/walletcore/provider"
	"github.com/walletctl/walletctl/walletcore/provider/simulator"
	"github.com/walletctl/walletctl/walletcore/wallettest"
)

// defect plays a request as a wallet with one defect does.
type defect func(*broken, context.Context, provider.Request) (provider.Result, error)

// broken is a wallet with one defect, in front of one without.
type broken struct {
	provider.Wallet
	play defect

	mu   sync.Mutex
	seen map[string]int // times that an action came, by its key
}

func (w *broken) Play(ctx context.Context, r provider.Request) (provider.Result, error) {
	return w.play(w, ctx, r)
}

// times counts the calls that held the same first action.
func (w *broken) times(r *provider.Request) int {
	w.mu.Lock()
	defer w.mu.Unlock()
	k := r.Wallet.User + string(r.Actions[0].Kind) + r.Actions[0].ID
	w.seen[k]++
	return w.seen[k]
}

// doubled takes a duplicate of a bet for another bet.
func doubled(w *broken, ctx context.Context, r provider.Request) (provider.Result, error) {
	if w.times(&r) > 1 && r.Actions[0].Kind == provider.Bet {
		r.Actions[0].ID += "-again"
	}
	return w.Wallet.Play(ctx, r)
}

// grudging answers every duplicate as a refusal, after it was taken.
func grudging(w *broken, ctx context.Context, r provider.Request) (provider.Result, error) {
	result, err := w.Wallet.Play(ctx, r)
	for i := range result.Outcomes {
		if result.Outcomes[i].Posted.Replayed {
			result.Outcomes[i] = provider.Outcome{Err: &walletcore.RefusedError{Code: "duplicate"}}
		}
	}
	return result, err
}

// renumbering gives a duplicate another id than the first time.
func renumbering(w *broken, ctx context.Context, r provider.Request) (provider.Result, error) {
	result, err := w.Wallet.Play(ctx, r)
	for i := range result.Outcomes {
		if posted := &result.Outcomes[i].Posted; posted.Replayed {
			posted.Receipt.Seq += 1_000_000
		}
	}
	return result, err
}

// forgetful answers a refund with success and gives nothing back.
func forgetful(w *broken, ctx context.Context, r provider.Request) (provider.Result, error) {
	for i := range r.Actions {
		if r.Actions[i].Kind == provider.Rollback || r.Actions[i].Kind == provider.Refund {
			r.Actions[i].ID += "-elsewhere"
		}
	}
	return w.Wallet.Play(ctx, r)
}

// generous takes a bet that came after its own rollback.
func generous(w *broken, ctx context.Context, r provider.Request) (provider.Result, error) {
	result, err := w.Wallet.Play(ctx, r)
	for i := range result.Outcomes {
		var refused *walletcore.RefusedError
		if errors.As(result.Outcomes[i].Err, &refused) && refused.Code == walletcore.RefusedRolledBack {
			r.Actions[i].ID += "-anyway"
			return w.Wallet.Play(ctx, r)
		}
	}
	return result, err
}

// silent never answers a win.
func silent(w *broken, ctx context.Context, r provider.Request) (provider.Result, error) {
	result, err := w.Wallet.Play(ctx, r)
	if r.Actions[0].Kind == provider.Win {
		err = errors.New("the answer is lost")
	}
	return result, err
}

// careless takes ids for equal that differ in case alone.
func careless(w *broken, ctx context.Context, r provider.Request) (provider.Result, error) {
	for i := range r.Actions {
		r.Actions[i].ID = strings.ToLower(r.Actions[i].ID)
	}
	return w.Wallet.Play(ctx, r)
}

func TestSimulator_FindsWhatAWalletDoesWrong(t *testing.T) {
	t.Parallel()
	whole := newBench(t)
	for name, c := range map[string]struct {
		dialect  string
		play     defect
		scenario simulator.Scenario
		want     simulator.Kind
	}{
		"a duplicate moves money":        {"process", doubled, simulator.Duplicates, simulator.Moved},
		"copies at once move money":      {"process", doubled, simulator.Burst, simulator.Moved},
		"a resend moves money":           {"subunits", doubled, simulator.CutOff, simulator.Balance},
		"a duplicate is refused":         {"standard", grudging, simulator.Duplicates, simulator.DuplicateRefused},
		"a duplicate has another id":     {"softswiss", renumbering, simulator.Duplicates, simulator.TransactionID},
		"a refund is lost":               {"softswiss", forgetful, simulator.RefundedBet, simulator.Balance},
		"an early rollback is forgotten": {"process", forgetful, simulator.EarlyRollback, simulator.Moved},
		"a late bet is taken":            {"softswiss", generous, simulator.EarlyRollback, simulator.Success},
		"wins are not answered":          {"standard", silent, simulator.Won, simulator.Unanswered},
		"ids are taken for equal":        {"standard", careless, simulator.OddIDs, simulator.Refusal},
		"a rolled back bet is taken":     {"softswiss", generous, simulator.Race, simulator.Success},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := *whole
			b.t = t
			b.breakWallet(c.dialect, c.play)
			report := b.simulate(c.dialect, func(o *simulator.Options) {
				o.Run = strings.ReplaceAll(name, " ", "-")
				o.Mix, o.Rounds, o.Cut = only(c.scenario), 6, -1
				o.Retries = []time.Duration{time.Second, time.Minute, time.Hour}
			})
			require.Len(t, report.Findings, min(report.FindingsCount, simulator.DefaultMaxFindings))
			var kinds []simulator.Kind
			for _, f := range report.Findings {
				kinds = append(kinds, f.Kind)
			}
			require.Contains(t, kinds, c.want)
		})
	}
}

// only plays one scenario.
func only(s simulator.Scenario) map[simulator.Scenario]int {
	mix := map[simulator.Scenario]int{}
	for _, name := range simulator.Scenarios() {
		mix[simulator.Scenario(name)] = 0
	}
	mix[s] = 1
	return mix
}

// breakWallet puts a wallet with a defect behind a dialect's door.
func (b *bench) breakWallet(dialect string, d defect) {
	b.t.Helper()
	inner, err := play.New(play.Options{Ledger: b.ledger, Reader: ledger.NewReader(b.db.Pool(b.t, wallettest.Gaming))})
	require.NoError(b.t, err)
	p, err := provider.NewProfile(provider.ProfileOptions{
		Brand: "acme", Provider: dialect, Dialect: dialect, Secrets: [][]byte{secretOf(dialect)},
	})
	require.NoError(b.t, err)
	profiles, err := provider.NewProfiles(p)
	require.NoError(b.t, err)
	handler, err := provider.NewHandler(provider.HandlerOptions{
		Profiles: profiles, Wallet: &broken{Wallet: inner, play: d, seen: map[string]int{}},
	})
	require.NoError(b.t, err)
	b.mux = http.NewServeMux()
	b.mux.Handle(provider.Pattern, handler)
}

// A policy that is not the service's own is found out, and is not taken for
// money that moved.
func TestSimulator_FindsAPolicyThatIsNotTheServices(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	for dialect, policy := range map[string]provider.Policy{
		"standard": {DuplicateBalance: provider.Current}, "process": {DuplicateBalance: provider.First},
	} {
		report := b.simulate(dialect, func(o *simulator.Options) {
			o.Policy, o.Mix, o.Rounds = policy, only(simulator.Duplicates), 6
		})
		require.NotEmpty(t, report.Findings)
		for _, f := range report.Findings {
			require.Equal(t, simulator.DuplicateBalance, f.Kind)
		}
	}
	report := b.simulate("subunits", func(o *simulator.Options) {
		o.Mix, o.Rounds = only(simulator.NoFunds), 6
		o.Codes = map[provider.Reason]provider.Code{provider.NoFunds: {Status: http.StatusPaymentRequired, Code: "100"}}
	})
	require.NotEmpty(t, report.Findings)
	for _, f := range report.Findings {
		require.Equal(t, simulator.WrongCode, f.Kind)
	}
}
