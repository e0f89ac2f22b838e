package ledger

import (
	"encoding/json"
	"errors"
	"time"

	"github.com/google/uuid"

	"github.com/walletctl/walletctl/walletcore"
)

// plan is what the second round trip will write.
type plan struct {
	*state
	hasher  *walletcore.Hasher
	keyID   int16
	entries []planned
	taken   map[key]walletcore.WalletKey // global keys decided in this batch
	undo    []func()                     // takes back what the request at hand decided
}

// planned is an entry to write.
type planned struct {
	*walletcore.Entry
	global bool // with a receipt
	debt   bool // may leave real below zero
}

// decide goes through the requests in order, under the locks, and moves the
// balances of the state along. Those of a brand that is not live are passed
// over, resends included. The error is one of the hash key, or
// *missingWallets.
func (p *plan) decide(b *batch) ([]Result, error) {
	p.taken = map[key]walletcore.WalletKey{}
	if missing := p.missing(b); missing != nil {
		return nil, missing
	}
	results := make([]Result, len(b.requests))
	for i, request := range b.requests {
		if results[i].Outcomes = p.passedOver(request); results[i].Outcomes != nil {
			continue
		}
		result, err := p.decideRequest(request)
		if err != nil {
			return nil, err
		}
		results[i] = result
	}
	return results, nil
}

// missing returns which wallets have to be born first. One whose every
// movement will be refused, for want of money, because another wallet holds a
// key of its request or its brand is not live, is not worth it: a refusal leaves
// nothing behind.
func (p *plan) missing(b *batch) error {
	wanted := map[[16]byte]bool{}
	for _, request := range b.requests {
		if p.passedOver(request) != nil || p.owned(request) {
			continue
		}
		for i := range request {
			wallet := request[i].Wallet.ID()
			if p.balances[wallet] == nil && !takesMoney(&request[i]) {
				wanted[wallet] = true
			}
		}
	}
	if len(wanted) == 0 {
		return nil
	}
	return &missingWallets{wanted}
}

// takesMoney: from a wallet that was never born there is none to take.
func takesMoney(m *Movement) bool { return stoppedByFreeze(m.Kind) && m.Amount.Sign() > 0 }

// owned reports whether another wallet holds a key of the request, or that of
// what it undoes, where that stands in its way.
func (p *plan) owned(request Request) bool {
	for i := range request {
		if p.foreign(&request[i], request[i].key()) != nil {
			return true
		}
	}
	return false
}

// decideRequest decides one request, whole or not at all.
func (p *plan) decideRequest(request Request) (Result, error) {
	result := Result{Outcomes: make([]Outcome, len(request))}
	written := len(p.entries)
	p.undo = p.undo[:0]
	refused := false
	for i := range request {
		outcome, err := p.decideOne(&request[i])
		if err != nil {
			return result, err
		}
		result.Outcomes[i] = outcome
		if outcome.Err != nil {
			refused = true
			break
		}
	}
	if refused {
		p.takeBack(written)
		notPosted(result.Outcomes)
	}
	if at := p.balances[request[0].Wallet.ID()]; at != nil {
		result.Balance = at.Parts
	}
	return result, nil
}

// takeBack forgets what the request decided, the last decision first.
func (p *plan) takeBack(written int) {
	for i := len(p.undo) - 1; i >= 0; i-- {
		p.undo[i]()
	}
	p.entries = p.entries[:written]
}

// notPosted marks the movements of a refused request that would have been
// posted. What stood in the ledger before still stands.
func notPosted(outcomes []Outcome) {
	for i := range outcomes {
		if outcomes[i].Err == nil && !outcomes[i].Posted.Replayed {
			outcomes[i] = Outcome{Err: ErrNotPosted}
		}
	}
}

func (p *plan) decideOne(m *Movement) (Outcome, error) {
	k := m.key()
	if err := p.foreign(m, k); err != nil {
		return Outcome{Err: err}, nil
	}
	if found := p.known[k]; found != nil {
		return p.again(m, k, found), nil
	}
	at := p.balances[k.wallet]
	if at == nil { // and the movement takes money, else the wallet would be there
		return Outcome{Err: noFunds(m, walletcore.Money{})}, nil
	}
	after := *at
	after.seq++
	after.debt = false
	mark, err := p.apply(m, k, &after)
	if err != nil {
		return Outcome{Err: err}, nil
	}
	entry, err := p.link(m, k, mark, at, after)
	if err != nil {
		return Outcome{}, err
	}
	after.head = entry.Hash
	p.record(m, k, entry, at, after)
	return Outcome{Posted: walletcore.Posted{Receipt: entry.Receipt()}}, nil
}

// again answers a key that stands in the ledger. Where what is late is refused,
// so is the resend of what was undone since: a success would let it play, for
// free.
func (p *plan) again(m *Movement, k key, found *known) Outcome {
	outcome := replay(m, found)
	outcome.Undone = p.undone(k)
	if outcome.Err == nil && outcome.Undone && m.Rules.RefuseLate {
		return Outcome{Err: refuse(walletcore.RefusedRolledBack, "it was undone since")}
	}
	return outcome
}

// undone reports whether the ledger holds what undoes the movement.
func (p *plan) undone(k key) bool {
	other, ok := k.counterpart()
	_, undoes := k.kind.Undoes()
	return ok && !undoes && p.known[other] != nil
}

// foreign refuses a global key that another wallet holds, or whose counterpart
// another wallet holds.
func (p *plan) foreign(m *Movement, k key) error {
	keys := []key{k}
	if other, ok := k.counterpart(); ok {
		keys = append(keys, other)
	}
	for _, k := range keys {
		if owner, ok := p.owners[k]; ok && m.global() {
			return otherOwner(m, owner)
		}
		if owner, ok := p.taken[anywhere(k)]; ok && m.global() && owner != m.Wallet {
			return otherOwner(m, owner)
		}
	}
	return nil
}

// anywhere is the key without its wallet.
func anywhere(k key) key {
	k.wallet = uuid.Nil
	return k
}

// record moves the state along, in a way that can be taken back.
func (p *plan) record(m *Movement, k key, entry *walletcore.Entry, at *balance, after balance) {
	before := *at
	*at = after
	p.entries = append(p.entries, planned{Entry: entry, global: m.global(), debt: after.debt})
	p.known[k] = &known{receipt: entry.Receipt(), roundID: m.RoundID}
	p.undo = append(p.undo, func() {
		*at = before
		delete(p.known, k)
	})
	if m.global() {
		p.taken[anywhere(k)] = m.Wallet
		p.undo = append(p.undo, func() { delete(p.taken, anywhere(k)) })
	}
	p.undo = append(p.undo, p.rounds.record(m, entry))
}

// link makes the entry that takes the wallet from one balance to the next, and
// signs it.
func (p *plan) link(m *Movement, k key, mark walletcore.Mark, before *balance, after balance) (*walletcore.Entry, error) {
	entry := &walletcore.Entry{
		WalletID: k.wallet, Seq: after.seq, Kind: m.Kind, ExternalID: m.ExternalID, Mark: mark,
		RealBefore: before.Real, RealAfter: after.Real,
		BonusBefore: before.Bonus, BonusAfter: after.Bonus,
		Reference: m.Reference, RoundID: m.RoundID, Actor: m.Actor,
		Details:    json.RawMessage(m.Details),
		OccurredAt: m.OccurredAt.UTC().Truncate(time.Microsecond),
		RecordedAt: p.now.UTC(),
		KeyID:      p.keyID,
	}
	var err error
	entry.Hash, err = p.hasher.Sum(before.head, entry)
	return entry, err
}

// ErrNotPosted marks a movement that would have been posted, had another one of
// its request not been refused.
var ErrNotPosted = errors.New("not posted: another movement of the request was refused")
