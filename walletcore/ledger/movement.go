package ledger

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"slices"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"

	"github.com/walletctl/walletctl/walletcore"
)

const (
	// MaxBatch is the greatest number of movements of one Post.
	MaxBatch = 256

	maxDetails = 16 << 10
	maxText    = walletcore.MaxExternalID
)

// Movement asks for one change of one wallet.
type Movement struct {
	Wallet     walletcore.WalletKey
	Kind       walletcore.Kind
	ExternalID string           // with Kind, the idempotency key
	Amount     walletcore.Money // main unit; its sign is the kind's
	Actor      string           // the service or person that asks
	Reference  string           // optional
	RoundID    string           // optional
	Details    json.RawMessage  // optional JSON, kept byte for byte; no personal data
	OccurredAt time.Time        // when its producer says it happened
}

// Validate refuses a movement that could never be posted. The error is a
// *walletcore.FieldError.
func (m *Movement) Validate() error {
	if err := m.Wallet.Validate(); err != nil {
		return err
	}
	if err := walletcore.CheckID("external_id", m.ExternalID, walletcore.MaxExternalID); err != nil {
		return err
	}
	if err := walletcore.CheckID("actor", m.Actor, walletcore.MaxGivenID); err != nil {
		return err
	}
	for field, text := range map[string]string{"reference": m.Reference, "round_id": m.RoundID} {
		if text == "" {
			continue
		}
		if err := walletcore.CheckID(field, text, maxText); err != nil {
			return err
		}
	}
	if year := m.OccurredAt.Year(); year < 1970 || year > 9999 {
		return &walletcore.FieldError{Field: "occurred_at", Reason: "must be a time between 1970 and 9999"}
	}
	if err := checkDetails(m.Details); err != nil {
		return err
	}
	return m.validateAmount()
}

func (m *Movement) validateAmount() error {
	switch m.Kind {
	case walletcore.KindDeposit:
		return walletcore.CheckPayable(m.Amount, m.Wallet.Currency)
	default:
		return &walletcore.FieldError{Field: "kind", Reason: "is not a kind of movement"}
	}
}

func checkDetails(details json.RawMessage) error {
	switch {
	case len(details) == 0:
		return nil
	case len(details) > maxDetails:
		return &walletcore.FieldError{Field: "details", Reason: "is longer than 16 KiB"}
	case !json.Valid(details) || !utf8.Valid(details):
		return &walletcore.FieldError{Field: "details", Reason: "is not valid JSON"}
	}
	return nil
}

// key is the idempotency key of a movement within the ledger.
type key struct {
	wallet     uuid.UUID
	kind       walletcore.Kind
	externalID string
}

// request is a batch made ready: ids derived, locks in order.
type request struct {
	movements  []Movement
	keys       []key
	wallets    [][16]byte // distinct, by id
	operations []int64    // distinct, by hash
}

func newRequest(movements []Movement) *request {
	r := &request{movements: movements, keys: make([]key, len(movements))}
	for i := range movements {
		m := &movements[i]
		r.keys[i] = key{m.Wallet.ID(), m.Kind, m.ExternalID}
		r.wallets = append(r.wallets, r.keys[i].wallet)
		if m.Kind.Global() {
			r.operations = append(r.operations, operation(m.Kind, m.ExternalID))
		}
	}
	slices.SortFunc(r.wallets, func(a, b [16]byte) int {
		return slices.Compare(a[:], b[:])
	})
	r.wallets = slices.Compact(r.wallets)
	slices.SortFunc(r.operations, cmp.Compare)
	r.operations = slices.Compact(r.operations)
	return r
}

// operation is the advisory lock of what must happen once over all wallets: 64
// bits of a strong hash over a namespaced text. A collision makes two
// operations wait for each other, no more.
func operation(kind walletcore.Kind, externalID string) int64 {
	sum := sha256.Sum256([]byte("walletctl " + string(kind) + " " + externalID))
	return int64(binary.BigEndian.Uint64(sum[:8]))
}
