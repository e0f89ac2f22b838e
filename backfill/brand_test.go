package backfill_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/backfill"
	"github.com/walletctl/walletctl/walletcore"
	"github.com/walletctl/walletctl/walletcore/ledger"
	"github.com/walletctl/walletctl/walletcore/wallettest"
)

func (r *rollout) ledger() *ledger.Ledger {
	r.Helper()
	l, err := ledger.New(ledger.Options{Pool: r.db.Pool(r.T, wallettest.Gaming), Keys: r.keys})
	require.NoError(r, err)
	return l
}

func deposit(id, user string) walletcore.DepositCredit {
	return walletcore.DepositCredit{
		DepositID: id, Wallet: walletcore.WalletKey{Brand: newBrand, User: user, Currency: "EUR"},
		Amount: walletcore.MustParseMoney("1.00"), OccurredAt: time.Now(),
	}
}

func TestGoLive_RefusesUntilTheTotalsAreWhatWasDeclared(t *testing.T) {
	t.Parallel()
	r := newRollout(t)
	o := r.begun()
	all := players(12)
	_, err := o.BringForward(t.Context(), source(all[:11]...))
	require.NoError(t, err)
	live := backfill.LiveOptions{Declared: r.sum(all...), WithoutHistory: "there is none"}
	for name, declared := range map[string]backfill.Totals{
		"a wallet that is missing": live.Declared,
		"nothing":                  nil,
		"another currency":         {totalOf("USD", -1, "55", "25")},
		"one currency too many":    append(r.sum(all[:11]...), totalOf("USD", -1, "0.00000001", "0")),
		"a hundred-millionth":      {totalOf("EUR", -1, "55.00000001", "30.5")},
		"another bonus":            {totalOf("EUR", -1, "55", "30")},
		"another number":           {totalOf("EUR", 12, "55", "30.5")},
	} {
		_, err := o.GoLive(t.Context(), backfill.LiveOptions{Declared: declared, WithoutHistory: "there is none"})
		var differ *backfill.TotalsError
		require.ErrorAs(t, err, &differ, name)
	}
	state, err := o.State(t.Context())
	require.NoError(t, err)
	require.Equal(t, walletcore.BrandImporting, state)

	_, err = o.BringForward(t.Context(), source(all...))
	require.NoError(t, err)
	totals, err := o.GoLive(t.Context(), live)
	require.NoError(t, err)
	require.Empty(t, totals.Compare(live.Declared))
	posted, err := r.ledger().CreditDeposit(t.Context(), deposit("d-1", "u-3"))
	require.NoError(t, err)
	require.EqualValues(t, 1, posted.Receipt.Seq)
	require.Equal(t, "3.00000000", posted.Receipt.RealBefore.String())
	require.Equal(t, "4.00000000", posted.Receipt.RealAfter.String())
	_, err = o.GoLive(t.Context(), live)
	var again *backfill.StateError
	require.ErrorAs(t, err, &again)
	r.requireClosed()
}

func TestGoLive_NumbersThatNobodyCountedAreNotCompared(t *testing.T) {
	t.Parallel()
	r := newRollout(t)
	o := r.begun()
	_, err := o.BringForward(t.Context(), source(players(3)...))
	require.NoError(t, err)
	_, err = o.GoLive(t.Context(), backfill.LiveOptions{
		Declared: backfill.Totals{totalOf("EUR", -1, "3", "2.5")}, WithoutHistory: "none",
	})
	require.NoError(t, err)
}

func TestGoLive_WantsTheHistoryThatProvidersMaySendAgainOrAReason(t *testing.T) {
	t.Parallel()
	r := newRollout(t)
	o := r.begun()
	_, err := o.BringForward(t.Context(), source(players(3)...))
	require.NoError(t, err)
	live := backfill.LiveOptions{Declared: r.sum(players(3)...)}
	_, err = o.GoLive(t.Context(), live)
	var lacks *backfill.HistoryError
	require.ErrorAs(t, err, &lacks)
	require.EqualValues(t, 3, lacks.Wallets)

	live.WithoutHistory, live.Note = "the games were new as well", "night of the move"
	_, err = o.GoLive(t.Context(), live)
	require.NoError(t, err)
	brands, err := backfill.Brands(t.Context(), r.db.Pool(t, wallettest.Auditor))
	require.NoError(t, err)
	require.Len(t, brands, 1)
	require.Equal(t, walletcore.BrandLive, brands[0].State)
	steps := brands[0].Changes
	require.Len(t, steps, 2)
	require.JSONEq(t, `[{"currency":"EUR","wallets":3,"real":"3.00000000","bonus":"2.50000000"}]`, string(steps[1].Totals))
	for i := range steps {
		require.WithinDuration(t, time.Now(), steps[i].At, time.Minute)
		steps[i].At, steps[i].Totals = time.Time{}, nil
	}
	require.Empty(t, cmp.Diff([]backfill.Change{
		{Was: "closed", State: "importing", Actor: "backfill", Host: "desk", Note: "from the old platform"},
		{Was: "importing", State: "live", Actor: "backfill", Host: "desk", Note: "without history: the games were new as well; night of the move"},
	}, steps))
}

func TestGoLive_ABrandThatHasNothingToBringInGoesFromClosedToLive(t *testing.T) {
	t.Parallel()
	r := newRollout(t)
	_, err := r.opening().GoLive(t.Context(), backfill.LiveOptions{})
	require.NoError(t, err)
	_, err = r.ledger().CreditDeposit(t.Context(), deposit("d-1", "u-1"))
	require.NoError(t, err)
	r.requireClosed()
}

// Fifty deposits are on their way while the last wallets come in and the brand
// goes live: each is refused, to be sent again, or posted on top of the balance
// that came in.
func TestGoLive_FiftyPostingsBesideItAreRefusedOrPostedAfterIt(t *testing.T) {
	t.Parallel()
	r := newRollout(t)
	o := r.begun()
	all := players(50)
	ledger := r.ledger()
	var wg sync.WaitGroup
	refused := make(chan struct{}, len(all))
	for i := range all {
		wg.Go(func() {
			told := false
			for {
				posted, err := ledger.CreditDeposit(t.Context(), deposit(fmt.Sprintf("d-%d", i), all[i].User))
				var notLive *walletcore.NotLiveError
				switch {
				case errors.As(err, &notLive):
					if !told {
						refused <- struct{}{}
					}
					told = true
					continue
				case err != nil:
					t.Errorf("credit %d: %v", i, err)
				case posted.Receipt.RealBefore != all[i].Real || posted.Receipt.Seq != 1:
					t.Errorf("credit %d was posted before its balance came in", i)
				}
				return
			}
		})
	}
	for range all {
		<-refused
	}
	_, err := o.BringForward(t.Context(), source(all...))
	require.NoError(t, err)
	_, err = o.GoLive(t.Context(), backfill.LiveOptions{Declared: r.sum(all...), WithoutHistory: "none"})
	require.NoError(t, err)
	wg.Wait()
	require.Equal(t, 50, r.count(`select count(*) from gaming.entries where kind = 'deposit'`))
	require.Equal(t, 50, r.count(`select count(*) from gaming.wallets`))
	r.requireClosed()
}

// byHand brings a wallet in as a client might that knows nothing of this
// package.
const byHand = `
with born as (
  insert into gaming.wallets (id, brand_id, user_id, currency, seq, real, bonus, head)
  values (gen_random_uuid(), $1, 'u-1', 'EUR', 0, 5, 0, sha256('x'))
  returning *)
insert into gaming.entries (wallet_id, seq, kind, external_id, real_before, real_after,
  bonus_before, bonus_after, actor, occurred_at, recorded_at, hash, key_id)
select id, 0, 'brought_forward', 'brought_forward', real, real, 0, 0, 'me', now(), now(), head, 1
from born`

func TestGoLive_WaitsForWalletsThatAreComingIn(t *testing.T) {
	t.Parallel()
	r := newRollout(t)
	o := r.begun()
	tx, err := r.db.Pool(t, wallettest.Backfill).Begin(t.Context())
	require.NoError(t, err)
	defer func() { _ = tx.Rollback(context.WithoutCancel(t.Context())) }()
	_, err = tx.Exec(t.Context(), byHand, newBrand)
	require.NoError(t, err)
	done := make(chan error, 1)
	go func() {
		_, err := o.GoLive(t.Context(), backfill.LiveOptions{})
		done <- err
	}()
	admin := r.db.Pool(t, wallettest.Admin) // the only one to see what others wait for
	require.Eventually(t, func() bool {
		var waiting int
		err := admin.QueryRow(t.Context(),
			`select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`).Scan(&waiting)
		return err == nil && waiting > 0
	}, 20*time.Second, 10*time.Millisecond, "it does not wait")
	select {
	case err := <-done:
		t.Fatalf("it did not wait: %v", err)
	default:
	}
	require.NoError(t, tx.Commit(t.Context()))
	var differ *backfill.TotalsError
	require.ErrorAs(t, <-done, &differ, "it counts the wallet that it waited for")
}
