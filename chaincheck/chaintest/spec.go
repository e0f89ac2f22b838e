package chaintest

import (
	"bytes"
	"fmt"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/walletcore"
)

// Spec describes a ledger of deposits.
type Spec struct {
	Brand    string // default acme
	Prefix   string // of user and deposit ids; default u
	Currency string // default EUR
	Wallets  int
	Deposits int       // entries a wallet beside its opening
	Start    time.Time // recorded_at of the first entry; default an hour before now
	Step     time.Duration
	Receipts bool
}

func (s *Spec) setDefaults() {
	s.Brand = orDefault(s.Brand, "acme")
	s.Prefix = orDefault(s.Prefix, "u")
	s.Currency = orDefault(s.Currency, "EUR")
	s.Step = orDefault(s.Step, time.Microsecond)
	if s.Start.IsZero() {
		s.Start = time.Now().Add(-time.Hour)
	}
}

// Wallet returns the key of the i-th wallet. It may be called concurrently.
func (s Spec) Wallet(i int) walletcore.WalletKey {
	s.setDefaults()
	return walletcore.WalletKey{Brand: s.Brand, User: fmt.Sprintf("%s-%d", s.Prefix, i), Currency: s.Currency}
}

// Rows returns the number of entries in all.
func (s Spec) Rows() int { return s.Wallets * (s.Deposits + 1) }

// Keys returns a keyring that is the same in every test.
func Keys(t testing.TB) *walletcore.Keyring {
	t.Helper()
	return KeysNamed(t, 1)
}

// KeysNamed returns a keyring whose only key has the given id.
func KeysNamed(t testing.TB, id int16) *walletcore.Keyring {
	t.Helper()
	keys, err := walletcore.NewKeyring(id, map[int16][]byte{id: bytes.Repeat([]byte{0x5a}, 32)})
	require.NoError(t, err)
	return keys
}

func orDefault[T comparable](value, otherwise T) T {
	var zero T
	if value == zero {
		return otherwise
	}
	return value
}

// now is the time as the database keeps it.
func now() time.Time { return time.Now().UTC().Truncate(time.Microsecond) }

func newID() string { return uuid.NewString() }
