package ledger

import (
	"encoding/json"
	"time"

	"github.com/google/uuid"

	"github.com/walletctl/walletctl/walletcore"
)

// plan is what the second round trip will write.
type plan struct {
	state   *state
	hasher  *walletcore.Hasher
	keyID   int16
	entries []*walletcore.Entry
}

// decide goes through the movements in order, under the locks, and moves the
// balances of the state along. The error is one of the hash key.
func (p *plan) decide(r *request) ([]Outcome, error) {
	if missing := p.missing(r); missing != nil {
		return nil, missing
	}
	outcomes := make([]Outcome, len(r.movements))
	decided := make(map[key]decision, len(r.movements))
	for i := range r.movements {
		m, k := &r.movements[i], r.keys[i]
		if earlier, ok := decided[global(k)]; ok {
			outcomes[i] = replay(m, &earlier.receipt, earlier.owner)
			continue
		}
		outcome, err := p.decideOne(m, k, p.state.existing[i])
		if err != nil {
			return nil, err
		}
		outcomes[i] = outcome
		if outcome.Err == nil {
			decided[global(k)] = decision{outcome.Posted.Receipt, m.Wallet}
		}
	}
	return outcomes, nil
}

// missing returns which wallets have to be born first. One whose every
// movement is in conflict with another wallet's is not worth it.
func (p *plan) missing(r *request) error {
	wanted := map[[16]byte]bool{}
	for i, k := range r.keys {
		if p.state.balances[k.wallet] == nil && p.state.existing[i].owner == nil {
			wanted[k.wallet] = true
		}
	}
	if len(wanted) == 0 {
		return nil
	}
	return &missingWallets{wanted}
}

// decision is what an earlier movement of the same batch ended in.
type decision struct {
	receipt walletcore.Receipt
	owner   walletcore.WalletKey
}

// global is the key by which a movement must be unique: without the wallet
// where its kind is unique over all of them.
func global(k key) key {
	if k.kind.Global() {
		k.wallet = uuid.Nil
	}
	return k
}

func (p *plan) decideOne(m *Movement, k key, found existing) (Outcome, error) {
	if found.owner != nil {
		return Outcome{Err: otherOwner(m, *found.owner)}, nil
	}
	if found.receipt != nil {
		return replay(m, found.receipt, m.Wallet), nil
	}
	at := p.state.balances[k.wallet]
	after := *at
	after.seq++
	if err := apply(m, &after); err != nil {
		return Outcome{Err: err}, nil
	}
	entry, err := p.link(m, k, at, after)
	if err != nil {
		return Outcome{}, err
	}
	after.head = entry.Hash
	*at = after
	p.entries = append(p.entries, entry)
	return Outcome{Posted: walletcore.Posted{Receipt: entry.Receipt()}}, nil
}

// apply moves the balances as the movement's kind says, or refuses.
func apply(m *Movement, b *balance) error {
	b.real = b.real.Add(m.Amount)
	if !b.real.InRange() {
		return &walletcore.RefusedError{
			Code:   walletcore.RefusedOverflow,
			Detail: "the balance would not fit: at most 10 digits before the point",
		}
	}
	return nil
}

// link makes the entry that takes the wallet from one balance to the next, and
// signs it.
func (p *plan) link(m *Movement, k key, before *balance, after balance) (*walletcore.Entry, error) {
	entry := &walletcore.Entry{
		WalletID: k.wallet, Seq: after.seq, Kind: m.Kind, ExternalID: m.ExternalID,
		RealBefore: before.real, RealAfter: after.real,
		BonusBefore: before.bonus, BonusAfter: after.bonus,
		Reference: m.Reference, RoundID: m.RoundID, Actor: m.Actor,
		Details:    json.RawMessage(m.Details),
		OccurredAt: m.OccurredAt.UTC().Truncate(time.Microsecond),
		RecordedAt: p.state.now.UTC(),
		KeyID:      p.keyID,
	}
	var err error
	entry.Hash, err = p.hasher.Sum(before.head, entry)
	return entry, err
}

// replay answers a key that stands in the ledger: the original receipt, once
// user, brand, currency and amount are found equal, or the field that differs.
func replay(m *Movement, original *walletcore.Receipt, owner walletcore.WalletKey) Outcome {
	if owner != m.Wallet {
		return Outcome{Err: otherOwner(m, owner)}
	}
	moved := original.RealAfter.Sub(original.RealBefore)
	if moved != m.Amount {
		return Outcome{Err: conflict(m, "amount", moved.String(), m.Amount.String())}
	}
	return Outcome{Posted: walletcore.Posted{Receipt: *original, Replayed: true}}
}

// otherOwner names the first part in which the wallet differs that holds the
// key.
func otherOwner(m *Movement, owner walletcore.WalletKey) error {
	switch {
	case owner.Brand != m.Wallet.Brand:
		return conflict(m, "brand", owner.Brand, m.Wallet.Brand)
	case owner.User != m.Wallet.User:
		return conflict(m, "user", owner.User, m.Wallet.User)
	default:
		return conflict(m, "currency", owner.Currency, m.Wallet.Currency)
	}
}

func conflict(m *Movement, field, stored, given string) error {
	return &walletcore.ConflictError{
		Kind: m.Kind, ExternalID: m.ExternalID, Field: field, Stored: stored, Given: given,
	}
}
