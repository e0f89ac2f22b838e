package backfill_test

import (
	"errors"
	"fmt"
	"iter"
	"slices"
	"testing"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/shopspring/decimal"
	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/backfill"
	"github.com/walletctl/walletctl/chaincheck"
	"github.com/walletctl/walletctl/walletcore"
	"github.com/walletctl/walletctl/walletcore/wallettest"
)

// rollout is a platform that opened no brand yet, and one of its brands.
type rollout struct {
	*testing.T
	db    *wallettest.Database
	owner *pgxpool.Pool
	keys  *walletcore.Keyring
}

const newBrand = "newbrand"

func newRollout(t *testing.T) *rollout {
	t.Helper()
	r := &rollout{T: t, db: wallettest.NewClosedDatabase(t), keys: wallettest.Keys(t)}
	r.owner = r.db.Pool(t, wallettest.Owner)
	return r
}

// opening opens the brand as the login backfill.
func (r *rollout) opening(change ...func(*backfill.OpeningOptions)) *backfill.Opening {
	r.Helper()
	options := backfill.OpeningOptions{
		Pool: r.db.Pool(r.T, wallettest.Backfill), Keys: r.keys, Brand: newBrand, Batch: 10, Host: "desk", Client: "test",
	}
	for _, c := range change {
		c(&options)
	}
	o, err := backfill.NewOpening(options)
	require.NoError(r, err)
	return o
}

// begun is an opening whose brand is importing.
func (r *rollout) begun(change ...func(*backfill.OpeningOptions)) *backfill.Opening {
	r.Helper()
	o := r.opening(change...)
	require.NoError(r, o.Begin(r.Context(), "from the old platform"))
	return o
}

// players are n balances: player i has i.00 real and half of that as bonus.
func players(n int) []backfill.Balance {
	balances := make([]backfill.Balance, n)
	for i := range balances {
		balances[i] = balance(fmt.Sprintf("u-%d", i), fmt.Sprintf("%d.00", i), fmt.Sprintf("%d.50", i/2))
		balances[i].Position = fmt.Sprintf("balances.csv:%d", i+2)
	}
	return balances
}

func balance(user, real, bonus string) backfill.Balance {
	return backfill.Balance{
		User: user, Currency: "EUR", Real: walletcore.MustParseMoney(real), Bonus: walletcore.MustParseMoney(bonus),
	}
}

// source gives balances one at a time.
func source(balances ...backfill.Balance) iter.Seq2[backfill.Balance, error] {
	return func(yield func(backfill.Balance, error) bool) {
		for b := range slices.Values(balances) {
			if !yield(b, nil) {
				return
			}
		}
	}
}

var errTorn = errors.New("the file is cut off")

// torn ends with an error.
func torn(balances ...backfill.Balance) iter.Seq2[backfill.Balance, error] {
	return func(yield func(backfill.Balance, error) bool) {
		for b := range source(balances...) {
			if !yield(b, nil) {
				return
			}
		}
		yield(backfill.Balance{}, errTorn)
	}
}

func totalOf(currency string, wallets int64, real, bonus string) backfill.Total {
	return backfill.Total{
		Currency: currency, Wallets: wallets, Real: decimal.RequireFromString(real), Bonus: decimal.RequireFromString(bonus),
	}
}

func (r *rollout) sum(balances ...backfill.Balance) backfill.Totals {
	r.Helper()
	totals, err := backfill.Sum(source(balances...))
	require.NoError(r, err)
	return totals
}

func (r *rollout) count(query string, args ...any) int {
	r.Helper()
	var n int
	require.NoError(r, r.owner.QueryRow(r.Context(), query, args...).Scan(&n))
	return n
}

// dump is everything that a run leaves and that another run must leave too.
func (r *rollout) dump() string {
	r.Helper()
	var text string
	require.NoError(r, r.owner.QueryRow(r.Context(), `
select string_agg(concat_ws(' ', w.id, w.brand_id, w.user_id, w.currency, w.seq, w.real, w.bonus, w.debt_limit,
  e.seq, e.kind, e.external_id, e.real_before, e.real_after, e.bonus_before, e.bonus_after, e.reference, e.actor), E'\n' order by w.id, e.seq)
from gaming.wallets w
left join gaming.entries e on e.wallet_id = w.id`).Scan(&text))
	return text
}

// requireClosed asserts that each chain is whole, and that the chain check says
// so too.
func (r *rollout) requireClosed() {
	r.Helper()
	wallettest.RequireClosed(r, r.owner, r.keys)
	report, err := chaincheck.Run(r.Context(), chaincheck.Deps{
		Pool: r.db.Pool(r.T, wallettest.Auditor), Keys: r.keys,
	}, chaincheck.Options{All: true})
	require.NoError(r, err)
	require.Empty(r, report.Findings, "%d findings", len(report.Findings))
}
