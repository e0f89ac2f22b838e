package provider

import (
	"errors"

	"github.com/walletctl/walletctl/walletcore"
	"github.com/walletctl/walletctl/walletcore/strictjson"
)

// body reads the fields of one object. The first error stays, and every read
// after it returns nothing: a dialect reads what it needs, and asks once.
type body struct {
	strictjson.Object
	err *error
	// unkeyed says that a bet or win may lack its id.
	unkeyed bool
}

func parse(p *Profile, data []byte) body {
	object, err := strictjson.Parse(data)
	return body{object, &err, p.Unkeyed != nil}
}

// within is a body inside of b.
func (b body) within(object strictjson.Object) body { return body{object, b.err, b.unkeyed} }

func (b body) fail(err error) {
	if *b.err == nil {
		*b.err = err
	}
}

// id reads an id that must be there: a string, or an integer whose digits are
// kept.
func (b body) id(name string) string {
	id := b.optional(name)
	if id == "" {
		b.fail(b.Fault(name, "is missing"))
	}
	return id
}

// key reads the own id of a bet or win into its action. Where the profile lets
// it be absent, what was missing is noted; one that is there has to be good.
func (b body) key(action *Action, name string) {
	if b.unkeyed && !b.Has(name) {
		action.missing = b.Fault(name, "is missing")
		return
	}
	action.ID = b.id(name)
}

func (b body) optional(name string) string {
	id, err := b.ID(name, walletcore.MaxGivenID)
	if err != nil {
		b.fail(err)
	}
	return id
}

func (b body) currency(name string) string {
	code, _, err := b.Text(name)
	if err != nil {
		b.fail(err)
	}
	if walletcore.CheckCurrency(code) != nil {
		b.fail(b.Fault(name, "must be an upper-case code such as EUR"))
	}
	return code
}

// list reads a list of objects, which may be absent or empty.
func (b body) list(name string) []body {
	objects, _, err := b.Objects(name)
	if err != nil {
		b.fail(err)
	}
	if len(objects) > MaxActions {
		b.fail(b.Fault(name, "are more than 100"))
		return nil
	}
	bodies := make([]body, len(objects))
	for i, object := range objects {
		bodies[i] = b.within(object)
	}
	return bodies
}

// object reads an object that must be there.
func (b body) object(name string) body {
	object, ok, err := b.Object.Object(name)
	if err != nil {
		b.fail(err)
	} else if !ok {
		b.fail(b.Fault(name, "is missing"))
	}
	return b.within(object)
}

// decimal reads an amount in the main unit, a string: a number may have been a
// float on its way. It reports whether there is one.
func (b body) decimal(name string) (walletcore.Money, bool) {
	text, given, err := b.Text(name)
	if err != nil {
		b.fail(b.Fault(name, `must be a decimal string such as "12.50"`))
	}
	if !given || err != nil {
		return walletcore.Money{}, false
	}
	amount, err := walletcore.ParseMoney(text)
	if err != nil {
		var bad *walletcore.AmountError
		errors.As(err, &bad)
		b.fail(b.Fault(name, bad.Reason))
	}
	return amount, true
}

// integer reads an amount in the unit that the profile sets for the currency.
func (b body) integer(p *Profile, currency, name string) (walletcore.Money, bool) {
	n, given, err := b.Int(name)
	if err != nil {
		b.fail(err)
	}
	amount, ok := p.fromUnits(n, currency)
	if !ok {
		b.fail(b.Fault(name, "is out of range"))
	}
	return amount, given
}

// required refuses an amount of a bet or a win that is missing or negative: the
// sign is the kind's, and no field may turn it.
func (b body) required(name string, amount walletcore.Money, given bool) walletcore.Money {
	switch {
	case !given:
		b.fail(b.Fault(name, "is missing"))
	case amount.Sign() < 0:
		b.fail(b.Fault(name, "must not be negative"))
	}
	return amount
}

// undone is the amount of what undoes a bet or a win. A negative one is some
// providers' way to say that money goes back: it is not used, the movement that
// is undone has the amount.
func undone(amount walletcore.Money) walletcore.Money {
	if amount.Sign() < 0 {
		return walletcore.Money{}
	}
	return amount
}
