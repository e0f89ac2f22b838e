package provider

import "github.com/walletctl/walletctl/walletcore"

// places returns the decimal places of the unit in which amounts of the
// currency are counted.
func (p *Profile) places(currency string) int {
	if places, ok := p.units[currency]; ok {
		return places
	}
	return walletcore.MinorUnits(currency)
}

// step is how many units of Money one unit of the provider's is.
func (p *Profile) step(currency string) int64 {
	step := int64(1)
	for range walletcore.Places - p.places(currency) {
		step *= 10
	}
	return step
}

// fromUnits reads n units of the currency, false where they are out of range.
func (p *Profile) fromUnits(n int64, currency string) (walletcore.Money, bool) {
	step := p.step(currency)
	limit := walletcore.MaxMoney.Units() / step
	if n > limit || n < -limit {
		return walletcore.Money{}, false
	}
	return walletcore.MoneyFromUnits(n * step), true
}

// toUnits counts whole units, rounded down: what is shown is there.
func (p *Profile) toUnits(amount walletcore.Money, currency string) int64 {
	return amount.Units() / p.step(currency)
}

// unitsLeft is the balance of a problem in units, nil where there is none.
func (p *Profile) unitsLeft(problem *Problem) *int64 {
	if problem.Balance == nil {
		return nil
	}
	n := p.toUnits(*problem.Balance, problem.Currency)
	return &n
}
