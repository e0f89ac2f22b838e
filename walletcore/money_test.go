package walletcore_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/shopspring/decimal"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/walletctl/walletctl/walletcore"
)

func TestParseMoney_KeepsEveryDigitOrRefuses(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"0":                         "0.00000000",
		"-0":                        "0.00000000",
		"10":                        "10.00000000",
		"10.0":                      "10.00000000",
		"+10.5":                     "10.50000000",
		"007.10":                    "7.10000000",
		"-25":                       "-25.00000000",
		"0.00000001":                "0.00000001",
		"0.00000000000000000000000": "0.00000000",
		"9999999999.99999999":       "9999999999.99999999",
		"-9999999999.99999999":      "-9999999999.99999999",
		"1.230000000000":            "1.23000000",
	} {
		m, err := walletcore.ParseMoney(text)
		require.NoError(t, err, text)
		require.Equal(t, want, m.String(), text)
	}
	for _, text := range []string{
		"", " ", ".", "-", "+", "1.", ".5", "1,5", "1 000", " 1", "1 ", "--1", "+-1", "1e2", "1E1000000000",
		"1e-400000000", "0x10", "NaN", "Infinity", "1_000", "١", "1.0.0", "0.000000001", "10000000000",
		strings.Repeat("9", 10<<20),
	} {
		_, err := walletcore.ParseMoney(text)
		var amount *walletcore.AmountError
		require.ErrorAs(t, err, &amount, "%.20q was accepted", text)
		require.Less(t, len(err.Error()), 200)
	}
}

func TestMoney_JSONIsADecimalStringAndNothingElse(t *testing.T) {
	t.Parallel()
	data, err := json.Marshal(walletcore.MustParseMoney("-12.5"))
	require.NoError(t, err)
	require.JSONEq(t, `"-12.50000000"`, string(data))

	var m walletcore.Money
	require.NoError(t, json.Unmarshal([]byte(`"12.50"`), &m))
	require.Equal(t, walletcore.MustParseMoney("12.5"), m)
	for _, text := range []string{`12.50`, `1e2`, `"1e2"`, `null`, `true`, `{}`, `""`} {
		require.Error(t, json.Unmarshal([]byte(text), &m), text)
	}
}

func TestMoney_AgreesWithDecimal(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		limit := walletcore.MaxMoney.Units()
		a := walletcore.MoneyFromUnits(rapid.Int64Range(-limit, limit).Draw(t, "a"))
		b := walletcore.MoneyFromUnits(rapid.Int64Range(-limit, limit).Draw(t, "b"))
		require.True(t, a.Add(b).Decimal().Equal(a.Decimal().Add(b.Decimal())))
		require.True(t, a.Sub(b).Decimal().Equal(a.Decimal().Sub(b.Decimal())))
		require.Equal(t, a.Decimal().Cmp(b.Decimal()), a.Cmp(b))
		require.Equal(t, a.Decimal().StringFixed(walletcore.Places), a.String())
		again, err := walletcore.ParseMoney(a.String())
		require.NoError(t, err)
		require.Equal(t, a, again)
	})
}

func TestMoneyFromDecimal_NeverRounds(t *testing.T) {
	t.Parallel()
	_, err := walletcore.MoneyFromDecimal(decimal.New(1, -9))
	require.Error(t, err)
	_, err = walletcore.MoneyFromDecimal(decimal.New(1, 10))
	require.Error(t, err)
	m, err := walletcore.MoneyFromDecimal(decimal.New(15, -1))
	require.NoError(t, err)
	require.Equal(t, "1.50000000", m.String())
}

func TestMoney_ScanRefusesWhatIsNoAmount(t *testing.T) {
	t.Parallel()
	var m walletcore.Money
	require.NoError(t, m.Scan("1.5"))
	require.Equal(t, "1.50000000", m.String())
	for _, value := range []any{nil, "NaN", "Infinity", 1.5, int64(1)} {
		require.Error(t, m.Scan(value), "%v", value)
	}
}

func TestCheckPayable_HoldsTheCurrencysSmallestUnit(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		amount, currency string
		ok               bool
	}{
		{"12.34", "EUR", true},
		{"12.345", "EUR", false},
		{"1000", "JPY", true},
		{"10.5", "JPY", false},
		{"1.234", "KWD", true},
		{"1.2345", "KWD", false},
		{"0.00000001", "USDT", true},
		{"0.00000001", "BTC", true},
		{"0", "EUR", false},
		{"-1", "EUR", false},
	} {
		err := walletcore.CheckPayable(walletcore.MustParseMoney(c.amount), c.currency)
		require.Equal(t, c.ok, err == nil, "%s %s: %v", c.amount, c.currency, err)
	}
}

func FuzzParseMoney(f *testing.F) {
	for _, seed := range []string{"0", "1.5", "-0.00000001", "1e5", "9999999999.99999999", "+"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		m, err := walletcore.ParseMoney(text)
		if err != nil {
			return
		}
		want, err := decimal.NewFromString(text)
		require.NoError(t, err)
		require.True(t, want.Equal(m.Decimal()), "%q became %s", text, m)
		require.True(t, m.InRange())
	})
}
