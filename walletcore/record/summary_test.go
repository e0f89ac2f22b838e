package record_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/walletcore/record"
)

func between(text, from, to string) string {
	_, rest, _ := strings.Cut(text, from)
	found, _, _ := strings.Cut(rest, to)
	return found
}

func TestSummary_IsWhatAnAuditorKeeps(t *testing.T) {
	t.Parallel()
	m := named(t, "walletctl")
	row := func(kind, currency, real string) string {
		return "acme,ann," + currency + "," + kind + ",1," + real + ",0.50,,,,,2025-01-01T00:00:00Z\n"
	}
	o := read(t, m,
		record.Stream("a.csv", strings.NewReader(walletctlHeader+row("win", "EUR", "1")+row("win", "EUR", "9999999999")+row("bet", "EUR", "x"))),
		record.Stream("b.csv", strings.NewReader(walletctlHeader+row("win", "EUR", "2")+row("bet", "JPY", "-7")+row("bet", "EUR", "-3"))))
	require.Empty(t, o.end)
	got, err := json.MarshalIndent(o.summary, "", "  ")
	require.NoError(t, err)
	golden, err := os.ReadFile(filepath.Join("testdata", "summary.json"))
	require.NoError(t, err)
	require.Empty(t, cmp.Diff(string(golden), string(got)+"\n"))
}

func TestSummary_DigestIsOfTheFilesInTheirOrder(t *testing.T) {
	t.Parallel()
	digest := func(texts ...string) record.Digest {
		var sources []record.Source
		for i, text := range texts {
			sources = append(sources, record.Stream("s"+string(rune('0'+i)), strings.NewReader(text)))
		}
		return read(t, small(t), sources...).summary.SHA256
	}
	other := smallHeader + "cid,EUR,3,c\n"
	require.Equal(t, digest(twoRows, other), digest(twoRows, other))
	require.NotEqual(t, digest(twoRows, other), digest(other, twoRows))
	require.NotEqual(t, digest(twoRows), digest(twoRows, other))
}

func TestRecords_EndWithTheContext(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	reader, err := record.Open(ctx, small(t), record.Stream("moves", generated(1<<40, smallHeader, func(int) string { return "ann,EUR,1,a\n" })))
	require.NoError(t, err)
	var last error
	rows := 0
	for _, err := range reader.Records() {
		if rows++; rows == 5 {
			cancel()
		}
		last = err
	}
	require.ErrorIs(t, last, context.Canceled)
	require.Less(t, rows, 5000)
	require.Empty(t, reader.Summary().Files)
}
