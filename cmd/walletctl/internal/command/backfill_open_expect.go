package command

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/walletctl/walletctl/backfill"
	"github.com/walletctl/walletctl/walletcore"
)

// expectations is a flag that holds a total for each currency.
type expectations backfill.Totals

const expectUsage = "EUR=real, EUR=real/bonus or EUR=real/bonus/wallets"

// String implements pflag.Value.
func (e *expectations) String() string {
	var texts []string
	for _, t := range *e {
		texts = append(texts, t.Currency+"="+t.Real.String()+"/"+t.Bonus.String())
	}
	return strings.Join(texts, ",")
}

// Type implements pflag.Value.
func (e *expectations) Type() string { return "total" }

// Set implements pflag.Value.
func (e *expectations) Set(text string) error {
	total, err := parseExpectation(text)
	if err != nil {
		return fmt.Errorf("%w: write it as %s", err, expectUsage)
	}
	for _, t := range *e {
		if t.Currency == total.Currency {
			return fmt.Errorf("%s is there twice", t.Currency)
		}
	}
	*e = append(*e, total)
	return nil
}

func parseExpectation(text string) (backfill.Total, error) {
	currency, rest, _ := strings.Cut(text, "=")
	total := backfill.Total{Currency: currency, Wallets: -1}
	if err := walletcore.CheckCurrency(currency); err != nil {
		return total, err
	}
	parts := strings.Split(rest, "/")
	if len(parts) > 3 {
		return total, fmt.Errorf("%q has more than three parts", rest)
	}
	for i, sum := range []*decimal.Decimal{&total.Real, &total.Bonus} {
		if i >= len(parts) {
			break
		}
		var err error
		if *sum, err = parseSum(parts[i]); err != nil {
			return total, err
		}
	}
	if len(parts) < 3 {
		return total, nil
	}
	wallets, err := strconv.ParseUint(parts[2], 10, 62)
	total.Wallets = int64(wallets)
	return total, err
}

// parseSum takes plain decimals only, larger than any balance too.
func parseSum(text string) (decimal.Decimal, error) {
	digits := strings.TrimPrefix(text, "-")
	whole, fraction, point := strings.Cut(digits, ".")
	plain := func(s string) bool {
		return s != "" && !slices.ContainsFunc([]rune(s), func(r rune) bool { return r < '0' || r > '9' })
	}
	if len(text) > 40 || !plain(whole) || (point && !plain(fraction)) || len(fraction) > walletcore.Places {
		return decimal.Decimal{}, fmt.Errorf("%.40q is not an amount", text)
	}
	return decimal.NewFromString(text)
}
