package simulator

import (
	"fmt"
	"maps"
	"slices"

	"github.com/walletctl/walletctl/walletcore"
	"github.com/walletctl/walletctl/walletcore/provider"
	"github.com/walletctl/walletctl/walletcore/signature"
	"github.com/walletctl/walletctl/walletcore/strictjson"
)

// dialect writes calls and reads answers as one contract says. It is stateless.
type dialect interface {
	traits() traits
	// look asks for the balance; round is empty, or the id of one that ends.
	look(w wallet, round string) message
	play(w wallet, call *Call) message
	// read reads what a body holds beside the code of a refusal.
	read(w wallet, call *Call, body strictjson.Object, success bool) (answer, error)
}

// dialects is the registry: a new dialect is a file of its own and a line here.
var dialects = map[string]dialect{
	"process":   process{},
	"softswiss": softswiss{},
	"standard":  standard{},
	"subunits":  subunits{},
}

// DialectNames lists the dialects that can be played, in alphabetical order.
func DialectNames() []string { return slices.Sorted(maps.Keys(dialects)) }

// traits are what differs between contracts beside their words.
type traits struct {
	signature signature.Form
	codes     map[provider.Reason]provider.Code
	// pairs: a call may hold a bet and its win. lists: it may hold any number of
	// bets and wins, or of rollbacks.
	pairs, lists bool
	// rollbacks undo bets and wins alike, and do not say which; else bets alone.
	rollbacks bool
	// balanceOn says whether a refusal has to tell the balance.
	balanceOn func(provider.Reason) bool
}

func (t *traits) hasPairs() bool   { return t.pairs }
func (t *traits) undoesWins() bool { return t.rollbacks }

// code is how the contract writes a reason.
func (t *traits) code(o *Options, reason provider.Reason) provider.Code {
	for _, codes := range []map[provider.Reason]provider.Code{o.Codes, t.codes} {
		if code, ok := codes[reason]; ok {
			return code
		}
	}
	return t.code(o, provider.OtherRefusal)
}

// never and afterSignature say on which refusals a balance stands.
func never(provider.Reason) bool { return false }

func afterSignature(reason provider.Reason) bool { return reason != provider.BadSignature }

// wallet is whose money is played, and in which unit.
type wallet struct {
	user     string
	currency string
	step     int64 // units of Money in one unit
}

// message is a request before it is signed.
type message struct {
	operation string
	body      any // of JSON
}

// answer is what a service answered, in neutral words.
type answer struct {
	status  int
	success bool
	code    string            // of a refusal
	balance *walletcore.Money // nil: it tells none
	// ids are ours for each action of a call that succeeded.
	ids []string
}

// units reads an amount of integers.
func (w wallet) units(body strictjson.Object, name string) (*walletcore.Money, error) {
	n, ok, err := body.Int(name)
	if err != nil || !ok {
		return nil, err
	}
	if limit := walletcore.MaxMoney.Units() / w.step; n > limit || n < -limit {
		return nil, body.Fault(name, "is out of range")
	}
	amount := walletcore.MoneyFromUnits(n * w.step)
	return &amount, nil
}

// count writes an amount as an integer.
func (w wallet) count(amount walletcore.Money) int64 { return amount.Units() / w.step }

// decimal reads an amount in the main unit.
func decimal(body strictjson.Object, name string) (*walletcore.Money, error) {
	text, ok, err := body.Text(name)
	if err != nil || !ok {
		return nil, err
	}
	amount, err := walletcore.ParseMoney(text)
	if err != nil {
		return nil, body.Fault(name, "is no amount")
	}
	return &amount, nil
}

// text reads an id of ours, which must be there.
func text(body strictjson.Object, name string) (string, error) {
	id, err := body.ID(name, walletcore.MaxGivenID)
	if err == nil && id == "" {
		err = body.Fault(name, "is missing")
	}
	return id, err
}

// transactions reads a list with an entry for each action, in their order.
func transactions(body strictjson.Object, call *Call, given, ours string) ([]string, error) {
	list, _, err := body.Objects("transactions")
	if err != nil {
		return nil, err
	}
	if len(list) != len(call.Actions) {
		return nil, body.Fault("transactions", fmt.Sprintf("are %d, for %d actions", len(list), len(call.Actions)))
	}
	ids := make([]string, len(list))
	for i, item := range list {
		id, err := text(item, given)
		if err != nil {
			return nil, err
		}
		if id != call.Actions[i].ID {
			return nil, item.Fault(given, "is not the one that was sent")
		}
		if ids[i], err = text(item, ours); err != nil {
			return nil, err
		}
	}
	return ids, nil
}
