package walletcore_test

import (
	"bytes"
	"encoding/hex"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/walletcore"
)

// pinnedWalletID and pinnedHash hold the derivations that stored data depends
// on. A change of either needs a new version, not a new value here.
const (
	pinnedWalletID = "84958d2a-b984-5f87-8361-ee03658a8f00"
	pinnedHash     = "203ee3d6a41cfd5c9e1717dca2979bd3098ac3ff5bfb9d9a8b0df9dacb2780c6"
)

func testKeyring(t *testing.T) *walletcore.Keyring {
	t.Helper()
	keys, err := walletcore.NewKeyring(2, map[int16][]byte{
		1: bytes.Repeat([]byte{1}, 32), 2: bytes.Repeat([]byte{2}, 32),
	})
	require.NoError(t, err)
	return keys
}

func testEntry() walletcore.Entry {
	return walletcore.Entry{
		WalletID: walletcore.WalletKey{Brand: "acme", User: "u-1", Currency: "EUR"}.ID(),
		Seq:      7, Kind: walletcore.KindDeposit, ExternalID: "d-1",
		RealBefore: walletcore.MustParseMoney("1"), RealAfter: walletcore.MustParseMoney("2"),
		BonusBefore: walletcore.MustParseMoney("3"), BonusAfter: walletcore.MustParseMoney("3"),
		Reference: "r", RoundID: "o", Actor: "casino", Details: []byte(`{"a":1}`),
		OccurredAt: time.UnixMicro(1), RecordedAt: time.UnixMicro(2), KeyID: 1,
	}
}

func TestHasher_IsPinned(t *testing.T) {
	t.Parallel()
	entry := testEntry()
	sum, err := testKeyring(t).Hasher().Sum([walletcore.HashSize]byte{9}, &entry)
	require.NoError(t, err)
	require.Equal(t, pinnedHash, hex.EncodeToString(sum[:]))
}

func TestHasher_CoversEveryField(t *testing.T) {
	t.Parallel()
	hasher := testKeyring(t).Hasher()
	var prev [walletcore.HashSize]byte
	original := testEntry()
	want, err := hasher.Sum(prev, &original)
	require.NoError(t, err)
	cent := walletcore.MoneyFromUnits(1)
	for name, change := range map[string]func(*walletcore.Entry){
		"wallet":       func(e *walletcore.Entry) { e.WalletID[0]++ },
		"seq":          func(e *walletcore.Entry) { e.Seq++ },
		"kind":         func(e *walletcore.Entry) { e.Kind = walletcore.KindOpening },
		"mark":         func(e *walletcore.Entry) { e.Mark = walletcore.MarkVoid },
		"external id":  func(e *walletcore.Entry) { e.ExternalID = "d-2" },
		"real before":  func(e *walletcore.Entry) { e.RealBefore = e.RealBefore.Add(cent) },
		"real after":   func(e *walletcore.Entry) { e.RealAfter = e.RealAfter.Add(cent) },
		"bonus before": func(e *walletcore.Entry) { e.BonusBefore = e.BonusBefore.Add(cent) },
		"bonus after":  func(e *walletcore.Entry) { e.BonusAfter = e.BonusAfter.Add(cent) },
		"reference":    func(e *walletcore.Entry) { e.Reference = "" },
		"round":        func(e *walletcore.Entry) { e.RoundID = "" },
		"moved text":   func(e *walletcore.Entry) { e.Reference, e.RoundID = "ro", "" },
		"actor":        func(e *walletcore.Entry) { e.Actor = "me" },
		"details":      func(e *walletcore.Entry) { e.Details = []byte(`{"a": 1}`) },
		"occurred at":  func(e *walletcore.Entry) { e.OccurredAt = e.OccurredAt.Add(time.Microsecond) },
		"recorded at":  func(e *walletcore.Entry) { e.RecordedAt = e.RecordedAt.Add(time.Microsecond) },
		"key":          func(e *walletcore.Entry) { e.KeyID = 2 },
	} {
		entry := testEntry()
		change(&entry)
		sum, err := hasher.Sum(prev, &entry)
		require.NoError(t, err)
		require.NotEqual(t, want, sum, name)
	}
	sum, err := hasher.Sum([walletcore.HashSize]byte{1}, &original)
	require.NoError(t, err)
	require.NotEqual(t, want, sum, "previous hash")
	again, err := hasher.Sum(prev, &original)
	require.NoError(t, err)
	require.Equal(t, want, again, "state is kept between entries")
}

func TestHasher_UnknownKeyIsNamed(t *testing.T) {
	t.Parallel()
	entry := testEntry()
	entry.KeyID = 9
	_, err := testKeyring(t).Hasher().Sum([walletcore.HashSize]byte{}, &entry)
	var unknown *walletcore.UnknownKeyError
	require.ErrorAs(t, err, &unknown)
	require.EqualValues(t, 9, unknown.KeyID)
}
