package ledger

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"slices"

	"github.com/google/uuid"

	"github.com/walletctl/walletctl/walletcore"
)

// Request is a number of movements that are posted whole or not at all, in
// their order: what one call of a provider asks for.
type Request []Movement

// Validate refuses a request that could never be posted. The error is a
// *walletcore.FieldError.
func (r Request) Validate() error {
	if len(r) == 0 {
		return &walletcore.FieldError{Field: "movements", Reason: "must not be empty"}
	}
	for i := range r {
		if err := r[i].Validate(); err != nil {
			return err
		}
	}
	return nil
}

// key is the idempotency key of a movement within the ledger.
type key struct {
	wallet     uuid.UUID
	kind       walletcore.Kind
	externalID string
}

// counterpart is the key of what a movement undoes, or of what undoes it.
func (k key) counterpart() (key, bool) {
	kind, ok := k.kind.Undoes()
	if !ok {
		kind, ok = k.kind.UndoneBy()
	}
	return key{k.wallet, kind, k.externalID}, ok
}

// batch is a number of requests made ready: ids derived, locks in order, keys to
// look for.
type batch struct {
	requests   []Request
	wallets    [][16]byte // distinct, by id
	operations []int64    // distinct, by hash
	keys       []key      // distinct: the movements' own, and their counterparts'
	keyBrands  []string   // of keys
	wins       []*Movement
	refunds    []key // whose rule asks whether the bet is settled
}

func newBatch(requests []Request) *batch {
	b := &batch{requests: requests}
	seen := map[key]bool{}
	for _, request := range requests {
		for i := range request {
			b.add(&request[i], seen)
		}
	}
	slices.SortFunc(b.wallets, compareIDs)
	b.wallets = slices.Compact(b.wallets)
	slices.SortFunc(b.operations, cmp.Compare)
	b.operations = slices.Compact(b.operations)
	return b
}

func (b *batch) add(m *Movement, seen map[key]bool) {
	k := m.key()
	b.wallets = append(b.wallets, k.wallet)
	b.look(k, m.Wallet.Brand, seen)
	if other, ok := k.counterpart(); ok {
		b.look(other, m.Wallet.Brand, seen)
	}
	if m.global() {
		b.operations = append(b.operations, operation(k))
	}
	switch {
	case m.Kind == walletcore.KindWin:
		b.wins = append(b.wins, m)
	case m.Kind == walletcore.KindRefund && !m.Rules.RefundAfterWin:
		b.refunds = append(b.refunds, k)
	}
}

func (b *batch) look(k key, brand string, seen map[key]bool) {
	if !seen[k] {
		seen[k] = true
		b.keys, b.keyBrands = append(b.keys, k), append(b.keyBrands, brand)
	}
}

// operation is the advisory lock of what must happen once over all wallets: 64
// bits of a strong hash over a namespaced text, the same for a movement and
// what undoes it. A collision makes two operations wait for each other, no
// more.
func operation(k key) int64 {
	kind := k.kind
	if undone, ok := kind.Undoes(); ok {
		kind = undone
	}
	sum := sha256.Sum256([]byte("walletctl " + string(kind) + " " + k.externalID))
	return int64(binary.BigEndian.Uint64(sum[:8]))
}

func compareIDs(a, b [16]byte) int { return slices.Compare(a[:], b[:]) }
