package chaincheck_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/chaincheck"
	"github.com/walletctl/walletctl/chaincheck/chaintest"
	"github.com/walletctl/walletctl/walletcore/wallettest"
)

// breaks are one planted break each: what is done to wallet $1, whose last
// entry has seq 9, and what must be found, in order.
var breaks = map[string]struct {
	plant string
	found []chaincheck.Kind
	seq   int64
	diff  string
	stray int // receipts left without their entry, which a check of all finds
}{
	"balance edited": {
		`update gaming.wallets set real = real + 5 where id = $1`,
		[]chaincheck.Kind{chaincheck.KindHead},
		9, "5.00000000", 0,
	},
	"bonus edited": {
		`update gaming.wallets set bonus = bonus + 0.00000001 where id = $1`,
		[]chaincheck.Kind{chaincheck.KindHead},
		9, "0.00000001", 0,
	},
	"head edited": {
		`update gaming.wallets set head = sha256('x') where id = $1`,
		[]chaincheck.Kind{chaincheck.KindHead},
		9, "", 0,
	},
	"seq ahead of the entries": {
		`update gaming.wallets set seq = seq + 1 where id = $1`,
		[]chaincheck.Kind{chaincheck.KindHead},
		10, "0.00000000", 0,
	},
	"wallet behind its entries": {
		`update gaming.wallets w set seq = e.seq, real = e.real_after, head = e.hash
		from gaming.entries e where e.wallet_id = w.id and e.seq = 8 and w.id = $1`,
		[]chaincheck.Kind{chaincheck.KindHead},
		8, "*", 0,
	},
	"before off by the smallest unit": {
		`update gaming.entries set real_before = real_before + 0.00000001 where wallet_id = $1 and seq = 5`,
		[]chaincheck.Kind{chaincheck.KindArithmetic, chaincheck.KindHash},
		5, "0.00000001", 0,
	},
	"bonus before off": {
		`update gaming.entries set bonus_before = bonus_before + 1, bonus_after = bonus_after + 1 where wallet_id = $1 and seq = 9`,
		[]chaincheck.Kind{chaincheck.KindArithmetic, chaincheck.KindHash, chaincheck.KindHead},
		9, "1.00000000", 0,
	},
	"row removed in the middle": {
		`delete from gaming.entries where wallet_id = $1 and seq = 5`,
		[]chaincheck.Kind{chaincheck.KindHole},
		5, "*", 1,
	},
	"first row removed": {
		`delete from gaming.entries where wallet_id = $1 and seq = 0`,
		[]chaincheck.Kind{chaincheck.KindNoOpening},
		0, "", 0,
	},
	"all rows removed": {
		`delete from gaming.entries where wallet_id = $1`,
		[]chaincheck.Kind{chaincheck.KindNoOpening},
		0, "*", 9,
	},
	"last row removed": {
		`delete from gaming.entries where wallet_id = $1 and seq = 9`,
		[]chaincheck.Kind{chaincheck.KindHead},
		9, "*", 1,
	},
	"field that only the hash covers": {
		`update gaming.entries set actor = 'nobody' where wallet_id = $1 and seq = 3`,
		[]chaincheck.Kind{chaincheck.KindHash},
		3, "", 0,
	},
	"time changed": {
		`update gaming.entries set recorded_at = recorded_at + interval '1 microsecond' where wallet_id = $1 and seq = 3`,
		[]chaincheck.Kind{chaincheck.KindHash},
		3, "", 0,
	},
	"details added": {
		`update gaming.entries set details = '{}' where wallet_id = $1 and seq = 3`,
		[]chaincheck.Kind{chaincheck.KindHash},
		3, "", 0,
	},
	"wallet removed": {
		`delete from gaming.wallets where id = $1`,
		[]chaincheck.Kind{chaincheck.KindOrphan},
		0, "*", 0,
	},
	"wallet given to another user": {
		`update gaming.wallets set user_id = 'mallory' where id = $1`,
		[]chaincheck.Kind{chaincheck.KindIdentity},
		9, "", 0,
	},
	"receipt removed": {
		`delete from gaming.receipts where wallet_id = $1 and seq = 4`,
		[]chaincheck.Kind{chaincheck.KindReceipt},
		4, "", 0,
	},
	"receipt of another entry": {
		`update gaming.receipts set seq = 5 where wallet_id = $1 and seq = 4`,
		[]chaincheck.Kind{chaincheck.KindReceipt},
		4, "", 1,
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
			for _, options := range []chaincheck.Options{{All: true, Order: chaincheck.OrderKey}, {All: true, Order: chaincheck.OrderTable}, {}} {
				report := f.run(t, options)
				require.Equal(t, chaincheck.StatusBroken, report.Status)
				require.Equal(t, 2, report.ExitCode())
				want := slices.Clone(test.found)
				if options.All {
					want = append(want, slices.Repeat([]chaincheck.Kind{chaincheck.KindReceipt}, test.stray)...)
				}
				require.Empty(t, cmp.Diff(want, kindsAt(report)), "all %v, order %s", options.All, options.Order)
				require.EqualValues(t, len(want), report.FindingsCount)
				require.EqualValues(t, 1, report.WalletsBroken)
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

// The triggers keep these out as well; who switches them off is seen.
func TestRun_WhatNoEntryAndNoWalletMayHoldIsFound(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		plant string
		found []chaincheck.Kind
	}{
		"deposit that takes": {
			`update gaming.entries set real_after = real_before - 1 where wallet_id = $1 and seq = 9`,
			[]chaincheck.Kind{chaincheck.KindSign, chaincheck.KindHash, chaincheck.KindHead},
		},
		"opening that gives": {
			`update gaming.entries set real_after = 1 where wallet_id = $1 and seq = 0`,
			[]chaincheck.Kind{chaincheck.KindSign, chaincheck.KindHash, chaincheck.KindArithmetic},
		},
		"opening in the middle": {
			`update gaming.entries set kind = 'opening' where wallet_id = $1 and seq = 4`,
			[]chaincheck.Kind{chaincheck.KindSign, chaincheck.KindHash, chaincheck.KindReceipt},
		},
		"an entry before the opening": {
			`insert into gaming.entries (wallet_id, seq, kind, external_id, real_before, real_after, bonus_before, bonus_after,
			actor, occurred_at, recorded_at, key_id, hash)
			values ($1, -1, 'opening', 'x', 0, 0, 0, 0, 'x', now(), now(), 1, sha256('x'))`,
			[]chaincheck.Kind{chaincheck.KindSign, chaincheck.KindHistory},
		},
		"not a number": {
			`update gaming.entries set real_after = 'NaN' where wallet_id = $1 and seq = 4`,
			[]chaincheck.Kind{chaincheck.KindAmount},
		},
		"wallet not a number": {
			`update gaming.wallets set real = 'NaN' where id = $1`,
			[]chaincheck.Kind{chaincheck.KindAmount},
		},
		"below the debt limit": {
			`update gaming.wallets set real = -1 where id = $1`,
			[]chaincheck.Kind{chaincheck.KindHead, chaincheck.KindNegative},
		},
		"key unknown to the database's owner": {
			`update gaming.entries set hash = sha256('x') where wallet_id = $1 and seq = 4`,
			[]chaincheck.Kind{chaincheck.KindHash, chaincheck.KindHash},
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := newFixture(t, chaintest.Spec{Wallets: 3, Deposits: 9})
			f.plant(t, test.plant, f.spec.Wallet(1).ID())
			for _, order := range []chaincheck.Order{chaincheck.OrderKey, chaincheck.OrderTable} {
				report := f.run(t, chaincheck.Options{All: true, Order: order})
				require.Equal(t, 2, report.ExitCode())
				require.Empty(t, cmp.Diff(test.found, kindsAt(report)))
			}
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

func TestRun_ReceiptWithoutItsEntryIsFound(t *testing.T) {
	t.Parallel()
	f := newFixture(t, chaintest.Spec{Wallets: 2, Deposits: 3})
	id := f.spec.Wallet(1).ID()
	f.plant(t, `insert into gaming.receipts (wallet_id, seq, kind, external_id) values ($1, 3, 'deposit', 'it''s \ lost')`, id)
	report := f.run(t, chaincheck.Options{All: true})
	require.Equal(t, []chaincheck.Kind{chaincheck.KindReceipt}, kindsAt(report))
	require.Equal(t, id, report.Findings[0].WalletID)
	require.Equal(t, "acme", report.Findings[0].Brand)
	require.Contains(t, report.Findings[0].Expected, `lost`)
}

func TestRun_SameDepositCreditedTwiceIsFound(t *testing.T) {
	t.Parallel()
	f := newFixture(t, chaintest.Spec{Wallets: 2, Deposits: 3})
	first := chaintest.Spec{Brand: "other", Wallets: 1, Deposits: 1}
	chaintest.Load(t, f.owner, f.keys, first) // credits u-0-1 once more, without a receipt
	wallettest.WaitForReplica(t)
	for _, options := range []chaincheck.Options{{}, {All: true}, {All: true, Brand: "other"}, {Wallet: first.Wallet(0).ID()}} {
		report := f.run(t, options)
		require.Equal(t, []chaincheck.Kind{chaincheck.KindReceipt}, kindsAt(report))
		require.Equal(t, "other", report.Findings[0].Brand)
		require.Equal(t, map[string]string{"EUR": report.MoneyInDoubt["EUR"]}, report.MoneyInDoubt)
	}
	requireClosed(t, f.run(t, chaincheck.Options{All: true, Brand: "acme"}))
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
