package chaincheck_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/chaincheck"
	"github.com/walletctl/walletctl/chaincheck/chaintest"
)

// breaks are one planted break each: what is done to wallet $1, whose last
// entry has seq 9, and what must be found, in order.
var breaks = map[string]struct {
	plant string
	found []chaincheck.Kind
	seq   int64
	diff  string
}{
	"balance edited": {
		`update gaming.wallets set real = real + 5 where id = $1`,
		[]chaincheck.Kind{chaincheck.KindHead}, 9, "5.00000000",
	},
	"bonus edited": {
		`update gaming.wallets set bonus = bonus + 0.00000001 where id = $1`,
		[]chaincheck.Kind{chaincheck.KindHead}, 9, "0.00000001",
	},
	"head edited": {
		`update gaming.wallets set head = sha256('x') where id = $1`,
		[]chaincheck.Kind{chaincheck.KindHead}, 9, "",
	},
	"seq ahead of the entries": {
		`update gaming.wallets set seq = seq + 1 where id = $1`,
		[]chaincheck.Kind{chaincheck.KindHead}, 10, "0.00000000",
	},
	"wallet behind its entries": {
		`update gaming.wallets w set seq = e.seq, real = e.real_after, head = e.hash
		from gaming.entries e where e.wallet_id = w.id and e.seq = 8 and w.id = $1`,
		[]chaincheck.Kind{chaincheck.KindHead}, 8, "*",
	},
	"before off by the smallest unit": {
		`update gaming.entries set real_before = real_before + 0.00000001 where wallet_id = $1 and seq = 5`,
		[]chaincheck.Kind{chaincheck.KindArithmetic, chaincheck.KindHash}, 5, "0.00000001",
	},
	"bonus before off": {
		`update gaming.entries set bonus_before = bonus_before + 1, bonus_after = bonus_after + 1 where wallet_id = $1 and seq = 9`,
		[]chaincheck.Kind{chaincheck.KindArithmetic, chaincheck.KindHash, chaincheck.KindHead}, 9, "1.00000000",
	},
	"row removed in the middle": {
		`delete from gaming.entries where wallet_id = $1 and seq = 5`,
		[]chaincheck.Kind{chaincheck.KindHole}, 5, "*",
	},
	"first row removed": {
		`delete from gaming.entries where wallet_id = $1 and seq = 0`,
		[]chaincheck.Kind{chaincheck.KindNoOpening}, 0, "",
	},
	"all rows removed": {
		`delete from gaming.entries where wallet_id = $1`,
		[]chaincheck.Kind{chaincheck.KindNoOpening}, 0, "*",
	},
	"last row removed": {
		`delete from gaming.entries where wallet_id = $1 and seq = 9`,
		[]chaincheck.Kind{chaincheck.KindHead}, 9, "*",
	},
	"field that only the hash covers": {
		`update gaming.entries set actor = 'nobody' where wallet_id = $1 and seq = 3`,
		[]chaincheck.Kind{chaincheck.KindHash}, 3, "",
	},
	"time changed": {
		`update gaming.entries set recorded_at = recorded_at + interval '1 microsecond' where wallet_id = $1 and seq = 3`,
		[]chaincheck.Kind{chaincheck.KindHash}, 3, "",
	},
	"details added": {
		`update gaming.entries set details = '{}' where wallet_id = $1 and seq = 3`,
		[]chaincheck.Kind{chaincheck.KindHash}, 3, "",
	},
	"wallet removed": {
		`delete from gaming.wallets where id = $1`,
		[]chaincheck.Kind{chaincheck.KindOrphan}, 0, "*",
	},
	"wallet given to another user": {
		`update gaming.wallets set user_id = 'mallory' where id = $1`,
		[]chaincheck.Kind{chaincheck.KindIdentity}, 9, "",
	},
	"receipt removed": {
		`delete from gaming.receipts where wallet_id = $1 and seq = 4`,
		[]chaincheck.Kind{chaincheck.KindReceipt}, 4, "",
	},
	"receipt of another entry": {
		`update gaming.receipts set seq = 5 where wallet_id = $1 and seq = 4`,
		[]chaincheck.Kind{chaincheck.KindReceipt}, 4, "",
	},
}

func TestRun_EveryPlantedBreakIsFoundAndNamed(t *testing.T) {
	t.Parallel()
	for name, test := range breaks {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := newFixture(t, chaintest.Spec{Wallets: 5, Deposits: 9})
			id := f.spec.Wallet(2).ID()
			f.plant(t, test.plant, id)
			for _, options := range []chaincheck.Options{{All: true}, {}} {
				report := f.run(t, options)
				require.Equal(t, chaincheck.StatusBroken, report.Status)
				require.Equal(t, 2, report.ExitCode())
				require.Empty(t, cmp.Diff(test.found, kindsAt(report)), "all %v", options.All)
				require.EqualValues(t, len(test.found), report.FindingsCount)
				first := report.Findings[0]
				require.Equal(t, id, first.WalletID)
				require.Equal(t, test.seq, first.Seq)
				if test.diff == "*" {
					require.NotEmpty(t, first.Difference)
				} else {
					require.Equal(t, test.diff, first.Difference)
				}
			}
		})
	}
}

// Constraints of the tables keep these out; who drops the constraint is seen.
func TestRun_BreaksBehindDroppedConstraintsAreFound(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		drop, plant string
		found       []chaincheck.Kind
	}{
		"deposit that takes": {
			`alter table gaming.entries drop constraint entries_effect_check`,
			`update gaming.entries set real_after = real_before - 1 where wallet_id = $1 and seq = 9`,
			[]chaincheck.Kind{chaincheck.KindSign, chaincheck.KindHash, chaincheck.KindHead},
		},
		"opening that gives": {
			`alter table gaming.entries drop constraint entries_effect_check`,
			`update gaming.entries set real_after = 1 where wallet_id = $1 and seq = 0`,
			[]chaincheck.Kind{chaincheck.KindSign, chaincheck.KindHash, chaincheck.KindArithmetic},
		},
		"opening in the middle": {
			`alter table gaming.entries drop constraint entries_effect_check`,
			`update gaming.entries set kind = 'opening' where wallet_id = $1 and seq = 4`,
			[]chaincheck.Kind{chaincheck.KindSign, chaincheck.KindHash},
		},
		"not a number": {
			`alter table gaming.entries drop constraint entries_nan_check, drop constraint entries_effect_check`,
			`update gaming.entries set real_after = 'NaN' where wallet_id = $1 and seq = 4`,
			[]chaincheck.Kind{chaincheck.KindAmount},
		},
		"wallet not a number": {
			`alter table gaming.wallets drop constraint wallets_real_check`,
			`update gaming.wallets set real = 'NaN' where id = $1`,
			[]chaincheck.Kind{chaincheck.KindAmount},
		},
		"below the debt limit": {
			`alter table gaming.wallets drop constraint wallets_real_check`,
			`update gaming.wallets set real = -1 where id = $1`,
			[]chaincheck.Kind{chaincheck.KindHead, chaincheck.KindNegative},
		},
		"key unknown to the database's owner": {
			`alter table gaming.entries drop constraint entries_hash_check`,
			`update gaming.entries set hash = sha256('x') where wallet_id = $1 and seq = 4`,
			[]chaincheck.Kind{chaincheck.KindHash, chaincheck.KindHash},
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := newFixture(t, chaintest.Spec{Wallets: 3, Deposits: 9})
			chaintest.Exec(t, f.owner, test.drop)
			f.plant(t, test.plant, f.spec.Wallet(1).ID())
			report := f.run(t, chaincheck.Options{All: true})
			require.Equal(t, 2, report.ExitCode())
			require.Empty(t, cmp.Diff(test.found, kindsAt(report)))
		})
	}
}

func TestRun_MoneyInDoubtIsSummedByCurrency(t *testing.T) {
	t.Parallel()
	f := newFixture(t, chaintest.Spec{Wallets: 4, Deposits: 3})
	f.plant(t, `update gaming.wallets set real = real + 5 where id = $1`, f.spec.Wallet(0).ID())
	f.plant(t, `update gaming.wallets set real = real - 0.5 where id = $1`, f.spec.Wallet(1).ID())
	report := f.run(t, chaincheck.Options{All: true, MaxFindings: 1})
	require.Equal(t, map[string]string{"EUR": "5.50000000"}, report.MoneyInDoubt)
	require.Len(t, report.Findings, 1)
	require.EqualValues(t, 1, report.FindingsOmitted)
	require.EqualValues(t, 2, report.FindingsByKind[chaincheck.KindHead])
	require.EqualValues(t, 2, report.WalletsBroken)
}

func TestRun_UnknownKeyIsAWarningAndNoBreak(t *testing.T) {
	t.Parallel()
	f := newFixture(t, chaintest.Spec{Wallets: 2, Deposits: 3})
	f.keys = chaintest.KeysNamed(t, 2)
	report := f.run(t, chaincheck.Options{All: true})
	require.Equal(t, chaincheck.StatusWarning, report.Status)
	require.Equal(t, []int16{1}, report.KeysUnknown)
	require.Zero(t, report.HashesVerified)
}
