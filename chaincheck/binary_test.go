package chaincheck_test

import (
	"testing"

	"github.com/jackc/pgx/v5/pgtype"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/walletctl/walletctl/chaincheck"
	"github.com/walletctl/walletctl/walletcore"
)

func TestDecodeMoney_ReadsWhatPostgreSQLWrites(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		limit := walletcore.MaxMoney.Units()
		want := walletcore.MoneyFromUnits(rapid.Int64Range(-limit, limit).Draw(t, "units"))
		got, err := chaincheck.DecodeMoney(numeric(t, want.String()))
		require.NoError(t, err)
		require.Equal(t, want, got)
	})
}

func TestDecodeMoney_AnyScaleOfTheSameAmountIsEqual(t *testing.T) {
	t.Parallel()
	for text, units := range map[string]int64{
		"0": 0, "0.00000000": 0, "-0.0": 0, "1": 1e8, "1.0": 1e8, "10000": 1e12, "100000000": 1e16,
		"0.00000001": 1, "-0.0001": -1e4, "9999999999.99999999": walletcore.MaxMoney.Units(), "1.500000000000": 15e7,
	} {
		got, err := chaincheck.DecodeMoney(numeric(t, text))
		require.NoError(t, err, text)
		require.Equal(t, units, got.Units(), text)
	}
}

func TestDecodeMoney_WhatIsNoAmountIsRefused(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"NaN", "Infinity", "-Infinity", "0.000000001", "1.123456789", "10000000000", "-10000000000.5", "1000000000000000000000000000000",
		"123456789012345678901234567890",
	} {
		_, err := chaincheck.DecodeMoney(numeric(t, text))
		require.Error(t, err, text)
	}
	_, err := chaincheck.DecodeMoney([]byte{0, 9, 0, 0, 0, 0, 0, 0})
	require.Error(t, err, "cut short")
	_, err = chaincheck.DecodeMoney(nil)
	require.Error(t, err, "null")
}

func numeric(t require.TestingT, text string) []byte {
	var n pgtype.Numeric
	require.NoError(t, n.Scan(text))
	b, err := pgtype.NewMap().Encode(pgtype.NumericOID, pgtype.BinaryFormatCode, n, nil)
	require.NoError(t, err)
	return b
}
