package record_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/walletctl/walletctl/walletcore"
	"github.com/walletctl/walletctl/walletcore/record"
)

// amountOf reads one amount of a currency, as its text or as a fault.
func amountOf(t testing.TB, m record.Mapping, currency, amount string) string {
	t.Helper()
	m.Delimiter = "|"
	o := readText(t, m, "user|currency|amount|id\nann|"+currency+"|"+amount+"|1\n")
	require.Empty(t, o.end)
	if len(o.faults) > 0 {
		return o.faults[0]
	}
	require.Len(t, o.records, 1)
	return o.records[0].Real.String()
}

const (
	notMarked = ` is not written with the declared decimal and thousands mark`
	notPlain  = ` is not a plain decimal number such as 12.50`
	notWhole  = ` is not a whole number of the declared unit`
)

func TestAmount_MarksAreDeclaredNeverGuessed(t *testing.T) {
	t.Parallel()
	point, comma := small(t), small(t, `decimal_mark: ","`)
	english, german := small(t, `thousands_mark: ","`), small(t, `decimal_mark: ","`, `thousands_mark: "."`)
	french, swiss := small(t, `decimal_mark: ","`, "thousands_mark: \"\u202f\""), small(t, `thousands_mark: "'"`)
	for _, c := range []struct {
		mapping      record.Mapping
		amount, want string
	}{
		{point, "1.000", "1.00000000"},
		{point, "1,000", notMarked},
		{point, "1.234,56", notMarked},
		{point, "1.2.3", notMarked},
		{point, ".5", notPlain},
		{point, "5.", notPlain},
		{point, "+5", "5.00000000"},
		{point, "-0.00", "0.00000000"},
		{point, "9999999999.99999999", "9999999999.99999999"},
		{point, "10000000000", " is out of range: at most 10 digits before the point"},
		{point, "0.00000000000000000000000", "0.00000000"},
		{comma, "1,5", "1.50000000"},
		{comma, "1.000", notMarked},
		{comma, "1.234,56", notMarked},
		{comma, "-1,000", "-1.00000000"},
		{english, "-1,234,567.89", "-1234567.89000000"},
		{english, "1234567.89", "1234567.89000000"},
		{english, "12,34.00", notMarked},
		{english, "1,2345.00", notMarked},
		{english, ",123.00", notMarked},
		{english, "1,,234.00", notMarked},
		{english, "1,234.567,89", notMarked},
		{english, "1,234,56", notMarked},
		{german, "1.234,56", "1234.56000000"},
		{german, "1.000", "1000.00000000"},
		{german, "1.00", notMarked},
		{german, "--1.000,00", " has more than one sign"},
		{french, "1\u202f000,00", "1000.00000000"},
		{french, "1 000,00", notMarked},
		{swiss, "1'000.50", "1000.50000000"},
	} {
		got := amountOf(t, c.mapping, "EUR", c.amount)
		if c.want[0] == ' ' {
			c.want = `moves:2:3: real "` + c.amount + `"` + c.want
		}
		require.Equal(t, c.want, got)
	}
}

func TestAmount_CountsTheDeclaredUnitOfItsCurrency(t *testing.T) {
	t.Parallel()
	minor := small(t, `units: {"*": minor, USDT: 6, GBP: main, TRX: 0}`)
	for _, c := range []struct{ currency, amount, want string }{
		{"EUR", "1234", "12.34000000"},
		{"EUR", "-5", "-0.05000000"},
		{"EUR", "0", "0.00000000"},
		{"JPY", "1000", "1000.00000000"},
		{"KWD", "1234", "1.23400000"},
		{"KWD", "-7", "-0.00700000"},
		{"USDT", "1234567", "1.23456700"},
		{"DOGE", "1", "0.00000001"},
		{"TRX", "7", "7.00000000"},
		{"GBP", "12.34", "12.34000000"},
		{"EUR", "999999999999", "9999999999.99000000"},
		{"EUR", "1000000000000", ` is out of range: at most 10 digits before the point`},
		{"EUR", "12.34", notWhole},
		{"EUR", "12,34", notWhole},
		{"EUR", "1e3", notWhole},
		{"EUR", "--5", notWhole},
		{"EUR", "-", notWhole},
		{"EUR", "1 000", notWhole},
	} {
		if c.want[0] == ' ' {
			c.want = `moves:2:3: real "` + c.amount + `"` + c.want
		}
		require.Equal(t, c.want, amountOf(t, minor, c.currency, c.amount), c.currency)
	}
	require.Equal(t, `moves:2:2: currency "USD" is a currency without a declared unit`,
		amountOf(t, small(t, "units: {EUR: main}"), "USD", "1"))
}

// The fast way says what walletcore says, whatever the text.
func TestAmount_IsThatOfWalletcore(t *testing.T) {
	t.Parallel()
	m := small(t)
	rapid.Check(t, func(r *rapid.T) {
		text := rapid.StringMatching(`[+-]{0,2}[0-9]{0,12}(\.[0-9]{0,10})?`).Draw(r, "amount")
		if text == "" {
			return
		}
		want, err := walletcore.ParseMoney(text)
		got := amountOf(t, m, "EUR", text)
		if err != nil {
			require.Contains(r, got, "moves:2:3: real")
			return
		}
		require.Equal(r, want.String(), got)
	})
}

func TestSign_StandsInExactlyOneDeclaredPlace(t *testing.T) {
	t.Parallel()
	direction := small(t, "sign: {by: direction, column: dc, credit: [Cr, C], debit: [Dr]}")
	for row, want := range map[string]string{
		"1,Cr":  "1.00000000",
		"1,C":   "1.00000000",
		"1,Dr":  "-1.00000000",
		"0,Dr":  "0.00000000",
		"-1,Cr": `moves:2:3: real "-1" has a sign, which another declared column gives`,
		"+1,Dr": `moves:2:3: real "+1" has a sign, which another declared column gives`,
		"1,cr":  `moves:2:5: direction "cr" is not mapped`,
		"1,":    `moves:2:5: direction is not mapped`,
	} {
		amount, dc, _ := strings.Cut(row, ",")
		requireReal(t, want, readText(t, direction, "user,currency,amount,id,dc\nann,EUR,"+amount+",x,"+dc+"\n"))
	}
	sides := small(t, "sign: {by: sides, credit_column: cr, debit_column: dr}", "fields: {user: user, currency: currency, id: id}")
	for row, want := range map[string]string{
		"5,":  "5.00000000",
		",5":  "-5.00000000",
		"5,0": "5.00000000",
		"0,5": "-5.00000000",
		"0,0": "0.00000000",
		",0":  "0.00000000",
		",":   `moves:2:4: credit must be empty or zero on one side, and filled on the other`,
		"5,3": `moves:2:4: credit "5" must be empty or zero on one side, and filled on the other`,
		"-5,": `moves:2:4: credit "-5" has a sign, which another declared column gives`,
		",-5": `moves:2:5: debit "-5" has a sign, which another declared column gives`,
		"x,0": `moves:2:4: credit "x" is not a plain decimal number such as 12.50`,
	} {
		cr, dr, _ := strings.Cut(row, ",")
		requireReal(t, want, readText(t, sides, "user,currency,id,cr,dr\nann,EUR,x,"+cr+","+dr+"\n"))
	}
}

func requireReal(t *testing.T, want string, o outcome) {
	t.Helper()
	if len(o.faults) > 0 {
		require.Equal(t, []string{want}, o.faults)
		return
	}
	require.Len(t, o.records, 1)
	require.Equal(t, want, o.records[0].Real.String())
}
