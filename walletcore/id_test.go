package walletcore_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/walletcore"
)

func TestWalletKey_IDNeverChangesAndTellsPartsApart(t *testing.T) {
	t.Parallel()
	key := walletcore.WalletKey{Brand: "acme", User: "u-1", Currency: "EUR"}
	require.Equal(t, "5", key.ID().Version().String()[len("VERSION_"):])
	// Pinned: every wallet in every database is found by this derivation.
	require.Equal(t, pinnedWalletID, key.ID().String())

	seen := map[string]walletcore.WalletKey{}
	for _, k := range []walletcore.WalletKey{
		{Brand: "ab", User: "c", Currency: "EUR"},
		{Brand: "a", User: "bc", Currency: "EUR"},
		{Brand: "a", User: "b", Currency: "CEUR"},
		{Brand: "A", User: "bc", Currency: "EUR"},
		{Brand: "a", User: "bc ", Currency: "EUR"},
		{Brand: "a", User: "bc\x00", Currency: "EUR"},
	} {
		id := k.ID().String()
		require.NotContains(t, seen, id, "%v and %v", k, seen[id])
		seen[id] = k
	}
}

func TestCheckID_KeepsOpaqueIDsAndRefusesWhatCannotBeKept(t *testing.T) {
	t.Parallel()
	for _, id := range []string{
		"1001", "ORDER123", "order123", "a|b", "7328334202200869667", "--9223372036854774253", "ünï", "日本", "a b",
		strings.Repeat("x", 255),
	} {
		require.NoError(t, walletcore.CheckID("id", id, walletcore.MaxGivenID), id)
	}
	for _, id := range []string{
		"", " ", "   ", "\t", " a", "a ", "a\x00b", "a\nb", "a\u0085b", "\xff\xfe", strings.Repeat("x", 256),
		strings.Repeat("é", 128), "\u00a0a",
	} {
		err := walletcore.CheckID("id", id, walletcore.MaxGivenID)
		var field *walletcore.FieldError
		require.ErrorAs(t, err, &field, "%q was accepted", id)
		require.Equal(t, "id", field.Field)
	}
}

func TestCheckCurrency(t *testing.T) {
	t.Parallel()
	for _, code := range []string{"EUR", "USDT", "A1B2C3D4E5"} {
		require.NoError(t, walletcore.CheckCurrency(code), code)
	}
	for _, code := range []string{"", "eur", "EU", "1EU", "EUR ", "A1B2C3D4E5F", "EÜR", "EUR\n"} {
		require.Error(t, walletcore.CheckCurrency(code), code)
	}
}
