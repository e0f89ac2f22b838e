package record_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/walletcore"
	"github.com/walletctl/walletctl/walletcore/record"
)

const byKind = `
format: csv
units: {"*": main}
sign: {by: kind}
order: file
namespace: "games:"
fields: {currency: currency, real: amount, id: id, kind: type}
kinds:
  D: {kind: deposit, namespace: ""}
  W: withdrawal
  B: bet
  V: win
  R: refund
  G: {kind: bonus_grant, balance: bonus}
  F: {kind: bonus_forfeit, balance: bonus}
  up: {kind: adjustment, sign: credit}
  down: {kind: adjustment, sign: debit}
  info: skip
`

func TestKind_GivesSignBalanceAndNamespace(t *testing.T) {
	t.Parallel()
	m := parsed(t, byKind)
	for word, want := range map[string]record.Record{
		"D":    {Kind: walletcore.KindDeposit, ID: "7", Real: money("5")},
		"W":    {Kind: walletcore.KindWithdrawal, ID: "games:7", Real: money("-5")},
		"B":    {Kind: walletcore.KindBet, ID: "games:7", Real: money("-5")},
		"V":    {Kind: walletcore.KindWin, ID: "games:7", Real: money("5")},
		"R":    {Kind: walletcore.KindRefund, ID: "games:7", Real: money("5")},
		"G":    {Kind: walletcore.KindBonusGrant, ID: "games:7", Bonus: money("5")},
		"F":    {Kind: walletcore.KindBonusForfeit, ID: "games:7", Bonus: money("-5")},
		"up":   {Kind: walletcore.KindAdjustment, ID: "games:7", Real: money("5")},
		"down": {Kind: walletcore.KindAdjustment, ID: "games:7", Real: money("-5")},
	} {
		o := readText(t, m, "currency,amount,id,type\nEUR,5,7,"+word+"\n")
		want.Currency, want.Position = "EUR", record.Position{File: "moves", Line: 2}
		require.Equal(t, []record.Record{want}, o.records)
	}
}

func money(text string) walletcore.Money { return walletcore.MustParseMoney(text) }

func TestKind_EachWordIsMappedSkippedOrARowError(t *testing.T) {
	t.Parallel()
	o := readText(t, parsed(t, byKind), "currency,amount,id,type\nEUR,5,1,B\n,,,info\nEUR,5,2,b\nEUR,5,3,\nEUR,-5,4,B\n")
	require.Equal(t, []string{
		`moves:4:4: kind "b" is not mapped`,
		`moves:5:4: kind is empty`,
		`moves:6:2: real "-5" has a sign, which another declared column gives`,
	}, o.faults)
	f := o.summary.Files[0]
	require.EqualValues(t, []int64{1, 1, 3}, []int64{f.Rows, f.Skipped, f.Refused})
}

func TestKind_OfAConversionMovesBothBalances(t *testing.T) {
	t.Parallel()
	m := parsed(t, `
format: csv
units: {"*": main}
sign: {by: kind}
order: file
fields: {currency: currency, real: real, bonus: bonus}
constants: {kind: bonus_conversion}
`)
	o := readText(t, m, "currency,real,bonus\nEUR,5,7\n")
	require.Equal(t, money("5"), o.records[0].Real)
	require.Equal(t, money("-7"), o.records[0].Bonus)
	require.Equal(t, walletcore.KindBonusConversion, o.records[0].Kind)
}

func TestStatus_IsMappedWhereTheMappingSaysSo(t *testing.T) {
	t.Parallel()
	fields := "fields: {user: user, currency: currency, real: amount, status: id}"
	o := readText(t, small(t, fields), smallHeader+"ann,EUR,1,Settled\nann,EUR,1,\n")
	require.Equal(t, "Settled", o.records[0].Status)
	require.Empty(t, o.records[1].Status)

	o = readText(t, small(t, fields, "statuses: {Settled: paid}"), smallHeader+"ann,EUR,1,Settled\nann,EUR,1,settled\nann,EUR,1,\n")
	require.Equal(t, "paid", o.records[0].Status)
	require.Equal(t, []string{`moves:3:4: status "settled" is not mapped`, `moves:4:4: status is not mapped`}, o.faults)
}
