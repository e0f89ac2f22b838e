package record_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/walletcore/record"
)

const ledgerHeader = "site;account;currency;type;voucher;debit;credit;balance;text;round;booked;provider\n"

const ledgerRows = `acme;ann;EUR;Deposit;d-1;;1.000,50;1.000,50;;;26.10.2025 01:59:59;
acme;ann;EUR;Stake;77;0,50;;1.000,00;;r-1;26.10.2025 03:00:00;games
acme;ann;EUR;Statement;;;;1.000,00;"monthly; sent";;26.10.2025 03:00:01;
acme;bob;JPY;Deposit;d-2;;300;300;;;26.10.2025 03:00:02;
`

const (
	ledgerEUR = ";;EUR;;;0,50;1.000,50;;;;Total;\n"
	ledgerJPY = ";;JPY;;;0,00;300,00;;;;Total;\n"
	separator = ";;;;;;;;;;;\n"
)

// withCount puts the count where the mapping says: in the column site.
func withCount(n string) string { return n + ";;;;;;;;;;Rows;\n" }

func TestFooter_ThatItsRowsMakeIsAccepted(t *testing.T) {
	t.Parallel()
	o := readText(t, named(t, "ledger-debit-credit"), ledgerHeader+ledgerRows+separator+withCount("4")+ledgerEUR+ledgerJPY)
	require.Empty(t, o.end)
	require.Empty(t, o.faults)
	require.Len(t, o.records, 3)
	require.Equal(t, "-0.50000000", o.records[1].Real.String())
	require.Equal(t, "games:77", o.records[1].ID)
	require.Equal(t, "d-1", o.records[0].ID)
	require.EqualValues(t, 1, o.summary.Files[0].Skipped)
}

func TestFooter_MissingOrContradictedEndsTheFile(t *testing.T) {
	t.Parallel()
	whole := ledgerRows + separator + withCount("4") + ledgerEUR + ledgerJPY
	for name, c := range map[string]struct{ rows, end string }{
		"cut before the separator": {ledgerRows, "moves: ends before its footer"},
		"cut before the footer":    {ledgerRows + separator, "moves: ends before its footer"},
		"cut within the footer":    {ledgerRows + separator + withCount("4"), "moves: ends before its footer"},
		"a currency without one":   {strings.Replace(whole, ledgerJPY, "", 1), "moves: ends before its footer"},
		"no separator":             {strings.Replace(whole, separator, "", 1), "moves: ends before its footer"},
		"one row less": {
			strings.Replace(whole, "acme;bob;JPY;Deposit;d-2;;300;300;;;26.10.2025 03:00:02;\n", "", 1),
			"moves:6: states site 4 in its footer, its rows make 3",
		},
		"another sum": {
			strings.Replace(whole, "0,50;1.000,50;;;;Total", "0,50;1.000,51;;;;Total", 1),
			"moves:8: states credit 1.000,51 in its footer, its rows make 1000.5",
		},
		"a sum in other marks": {
			strings.Replace(whole, "0,50;1.000,50;;;;Total", "0,50;1000.50;;;;Total", 1),
			"moves:8: states credit 1000.50 in its footer, its rows make 1000.5",
		},
		"a count that is none": {strings.Replace(whole, "4;;;;;;;;;;Rows", "x;;;;;;;;;;Rows", 1), "moves:7: states site x in its footer, its rows make 4"},
		"a row that has no amount": {
			strings.Replace(whole, ";300;300;", ";3OO;300;", 1),
			"moves:7: states site 4 in its footer, its rows make 4 (rows that could not be read: 1)",
		},
		"a row with a stray quote": {
			strings.Replace(whole, ";d-2;", ";d\"2;", 1),
			"moves:7: states site 4 in its footer, its rows make 3 (rows that could not be read: 1)",
		},
		"twice":             {whole + ledgerEUR, "moves:10: has a footer twice"},
		"a row behind it":   {whole + ledgerRows, "moves:10: goes on behind its footer"},
		"a short row of it": {ledgerRows + separator + withCount("4") + "EUR\n", "moves:8: goes on behind its footer"},
		"another separator": {ledgerRows + separator + separator, "moves:7: goes on behind its footer"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o := readText(t, named(t, "ledger-debit-credit"), ledgerHeader+c.rows)
			require.Equal(t, c.end, o.end)
			require.Empty(t, o.summary.Files)
		})
	}
}

// Each cut of a file is noticed, wherever it is, as long as a footer follows.
func TestFooter_NoCutGoesUnnoticed(t *testing.T) {
	t.Parallel()
	whole := ledgerHeader + ledgerRows + separator + withCount("4") + ledgerEUR + strings.TrimSuffix(ledgerJPY, ";\n")
	m := named(t, "ledger-debit-credit")
	for cut := range len(whole) {
		require.NotEmpty(t, readText(t, m, whole[:cut]).end, "at %d", cut)
	}
}

func TestFooter_SumsMayExceedAnyAmount(t *testing.T) {
	t.Parallel()
	m := small(t, "footer: {rows: [{column: user, equals: END, count: id, sums: {amount: amount}}]}")
	o := readText(t, m, smallHeader+strings.Repeat("ann,EUR,9999999999.99999999,x\n", 1000)+"END,,9999999999999.99999,1000\n")
	require.Empty(t, o.end)
	require.Equal(t, "9999999999999.99999000", o.summary.Totals[0].Real.String())

	cents := small(t, `units: {"*": 2}`, "footer: {rows: [{column: user, equals: END, sums: {amount: amount}}]}")
	require.Empty(t, readText(t, cents, smallHeader+"ann,EUR,150,x\nann,EUR,-50,x\nEND,,100,\n").end)
	require.Equal(t, "moves:3: states amount 1.00 in its footer, its rows make 1.5",
		readText(t, cents, smallHeader+"ann,EUR,150,x\nEND,,1.00,\n").end)
	require.Equal(t, "moves:3: has 1 fields, the header has 3", readText(t, cents, smallHeader+"ann,EUR,150,x\nEND\n").end)
}

func TestFooter_DirectionsNetToNothing(t *testing.T) {
	t.Parallel()
	m := named(t, "ledger-minor-units")
	header := strings.Join([]string{
		"seq", "brand", "player_id", "currency", "txn_type", "txn_id", "amount", "dr_cr", "balance_after",
		"ref", "round_id", "created", "provider",
	}, ",") + "\n"
	o := readText(t, m, header+
		"1,acme,ann,USD,DEPOSIT,a,10000,Cr,10000,,,1748772000,\n"+
		"2,acme,ann,USD,WITHDRAW,b,10000,Dr,0,,,1748772001,\n"+
		"3,acme,ann,JPY,BET,c,10000,Dr,,,r,1748772002,games\n"+
		"4,acme,ann,KWD,WIN,d,1234,Cr,,,r,1748772003,games\n"+
		"5,acme,ann,USD,BONUS,e,1,Cr,,,,1748772003,\n")
	require.Empty(t, o.faults)
	require.Empty(t, o.end)
	require.True(t, o.records[0].Real.Add(o.records[1].Real).IsZero())
	require.Equal(t, "-10000.00000000", o.records[2].Real.String())
	require.Equal(t, "1.23400000", o.records[3].Real.String())
	require.Equal(t, "0.01000000", o.records[4].Bonus.String())
	require.True(t, o.records[4].Real.IsZero())
	require.EqualValues(t, 5, o.records[4].Sequence)
	require.Equal(t, record.OrderSequence, m.Order)
}
