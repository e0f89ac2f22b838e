package walletcore

import "fmt"

// SplitPolicy says which balance pays a bet first. It is set by brand.
type SplitPolicy string

// The policies.
const (
	RealFirst    SplitPolicy = "real_first" // the default
	BonusFirst   SplitPolicy = "bonus_first"
	Proportional SplitPolicy = "proportional" // to the balances
)

// Parts are the real and the bonus part of one amount. Together they are the
// whole of it, to the last place.
type Parts struct {
	Real  Money
	Bonus Money
}

// Total returns the whole.
func (p Parts) Total() Money { return p.Real.Add(p.Bonus) }

// Validate refuses a policy that does not exist. The empty one is the default.
func (s SplitPolicy) Validate() error {
	switch s {
	case "", RealFirst, BonusFirst, Proportional:
		return nil
	}
	return fmt.Errorf("split policy %q is not one of %s, %s, %s", string(s), RealFirst, BonusFirst, Proportional)
}

// Split divides a bet of amount, at least zero, over a balance. It reports
// false where the balance does not cover it. A part is never more than its
// balance, and never below zero.
func (s SplitPolicy) Split(amount Money, balance Parts) (Parts, bool) {
	if balance.Real.Sign() < 0 || amount.Cmp(balance.Total()) > 0 {
		return Parts{}, false
	}
	switch s {
	case BonusFirst:
		bonus := least(amount, balance.Bonus)
		return Parts{Real: amount.Sub(bonus), Bonus: bonus}, true
	case Proportional:
		return proportion(amount, balance), true
	default:
		real := least(amount, balance.Real)
		return Parts{Real: real, Bonus: amount.Sub(real)}, true
	}
}

// SplitWin divides a win in the proportion of the bets that it resolves, whose
// sum is above zero.
func SplitWin(amount Money, bets Parts) Parts {
	real := share(amount, bets.Real, bets.Total())
	return Parts{Real: real, Bonus: amount.Sub(real)}
}

// proportion computes one part, rounded, and takes the other as the rest: two
// roundings would not add up. Where the rounding went past a balance, the
// other one pays.
func proportion(amount Money, balance Parts) Parts {
	if amount.IsZero() {
		return Parts{}
	}
	real := least(share(amount, balance.Real, balance.Total()), balance.Real)
	if bonus := amount.Sub(real); bonus.Cmp(balance.Bonus) > 0 {
		real = amount.Sub(balance.Bonus)
	}
	return Parts{Real: real, Bonus: amount.Sub(real)}
}

// share returns amount * part / whole, rounded to 8 places, half away from
// zero.
func share(amount, part, whole Money) Money {
	d := amount.Decimal().Mul(part.Decimal()).DivRound(whole.Decimal(), Places)
	m, err := MoneyFromDecimal(d)
	if err != nil {
		panic(err) // part is at most whole, so the share is at most the amount
	}
	return m
}

func least(a, b Money) Money {
	if a.Cmp(b) < 0 {
		return a
	}
	return b
}
