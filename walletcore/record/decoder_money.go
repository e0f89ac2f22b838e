package record

import (
	"github.com/walletctl/walletctl/walletcore"
)

// movement reads what the two balances change by.
func (d *decoder) movement(r *row, rec *Record, rule *kindRule, unit unitOf) *RowError {
	err := d.changes(r, rec, rule, unit)
	if rule.Balance == bonusWord {
		rec.Real, rec.Bonus = rec.Bonus, rec.Real
	}
	return err
}

func (d *decoder) changes(r *row, rec *Record, rule *kindRule, unit unitOf) (err *RowError) {
	if d.by == SignBySides {
		return d.sides(r, rec, unit)
	}
	real, bonus := int64(1), int64(1)
	switch d.by {
	case SignByDirection:
		word := d.direction.of(r.values)
		sign, ok := d.words[word]
		if !ok || r.number(d.direction.index) {
			return d.problem(r, "direction", d.direction, ErrUnmapped)
		}
		real, bonus = sign, sign
	case SignByKind:
		real, bonus = rule.real, rule.bonus
	}
	if c := d.cells[fieldReal]; c.given() || !d.cells[fieldBonus].given() {
		if rec.Real, err = d.change(r, fieldReal, real, unit); err != nil {
			return err
		}
	}
	c := d.cells[fieldBonus]
	if c.of(r.values) == "" && d.cells[fieldReal].given() {
		return nil
	}
	rec.Bonus, err = d.change(r, fieldBonus, bonus, unit)
	return err
}

// change reads an amount and gives it its sign. Where another column gives the
// sign, one in the amount could turn it round.
func (d *decoder) change(r *row, f field, sign int64, unit unitOf) (walletcore.Money, *RowError) {
	amount, err := d.money(r, f.String(), d.cells[f], unit)
	if err != nil {
		return amount, err
	}
	if d.by == SignAsWritten {
		return amount, nil
	}
	if signed(d.cells[f].of(r.values)) {
		return amount, d.fault(r, f, d.cells[f], ErrSigned)
	}
	if sign < 0 {
		return amount.Neg(), nil
	}
	return amount, nil
}

func signed(text string) bool { return text != "" && (text[0] == '-' || text[0] == '+') }

// sides reads a credit and a debit column, of which one is filled.
func (d *decoder) sides(r *row, rec *Record, unit unitOf) *RowError {
	credit, err := d.side(r, "credit", d.credit, unit)
	if err != nil {
		return err
	}
	debit, err := d.side(r, "debit", d.debit, unit)
	if err != nil {
		return err
	}
	empty := d.credit.of(r.values) == "" && d.debit.of(r.values) == ""
	if empty || !credit.IsZero() && !debit.IsZero() {
		return d.problem(r, "credit", d.credit, ErrSides)
	}
	rec.Real = credit.Sub(debit)
	return nil
}

func (d *decoder) side(r *row, name string, c cell, unit unitOf) (walletcore.Money, *RowError) {
	text := c.of(r.values)
	if text == "" {
		return walletcore.Money{}, nil
	}
	if signed(text) {
		return walletcore.Money{}, d.problem(r, name, c, ErrSigned)
	}
	return d.money(r, name, c, unit)
}

// money reads an amount as it is written.
func (d *decoder) money(r *row, name string, c cell, unit unitOf) (walletcore.Money, *RowError) {
	text := c.of(r.values)
	if text == "" {
		return walletcore.Money{}, d.problem(r, name, c, ErrEmpty)
	}
	// Some producer may have carried a number with a fraction through a float.
	if unit.places == mainPlaces && r.number(c.index) {
		return walletcore.Money{}, d.problem(r, name, c, ErrString)
	}
	amount, err := d.numerals.amount(text, unit.places)
	if err != nil {
		return amount, d.problem(r, name, c, err)
	}
	return amount, nil
}

// balances reads what the source shows beside the movement.
func (d *decoder) balances(r *row, rec *Record, unit unitOf) (err *RowError) {
	if rec.RealAfter, err = d.balance(r, fieldRealAfter, unit); err != nil {
		return err
	}
	if rec.BonusAfter, err = d.balance(r, fieldBonusAfter, unit); err != nil {
		return err
	}
	fee, err := d.balance(r, fieldFee, unit)
	rec.Fee = fee.Money
	return err
}

func (d *decoder) balance(r *row, f field, unit unitOf) (Balance, *RowError) {
	c := d.cells[f]
	if c.of(r.values) == "" {
		return Balance{}, nil
	}
	amount, err := d.money(r, f.String(), c, unit)
	return Balance{Money: amount, Known: err == nil}, err
}
