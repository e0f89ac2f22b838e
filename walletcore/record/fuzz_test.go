package record_test

import (
	"bytes"
	"encoding/csv"
	"errors"
	"io"
	"strings"
	"testing"
	"unicode"

	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/walletcore"
	"github.com/walletctl/walletctl/walletcore/record"
)

// FuzzCSV: each row that encoding/csv sees is a record or a fault with its
// place, no row more and none less; what is a record holds only what a ledger
// may; what is said is fit for a log.
func FuzzCSV(f *testing.F) {
	m := small(f, "blank_lines: anywhere")
	f.Add([]byte("ann,EUR,1.50,a\n\nbob,JPY,-2,\"b\nc\"\r\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		text := smallHeader + string(data)
		o := readText(t, m, text)
		requireSound(t, o)
		if o.end == "" {
			require.Equal(t, rowsOf(text)-1, len(o.records)+len(o.faults))
			require.EqualValues(t, len(text), o.summary.Files[0].Bytes)
		}
	})
}

// rowsOf counts the rows of a CSV text, readable or not.
func rowsOf(text string) (rows int) {
	reader := csv.NewReader(strings.NewReader(text))
	reader.FieldsPerRecord = -1
	for {
		if _, err := reader.Read(); errors.Is(err, io.EOF) {
			return rows
		}
		rows++
	}
}

// FuzzNDJSON: each line is a record or a fault with its place.
func FuzzNDJSON(f *testing.F) {
	m := smallJSON(f, "blank_lines: anywhere")
	f.Add([]byte(goodJSON + "\n" + `{"user":7,"currency":"EUR","amount":"1","id":null,"extra":{"a":["}"]}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		o := readText(t, m, string(data))
		requireSound(t, o)
		if o.end != "" {
			return
		}
		lines := 0
		for line := range bytes.Lines(bytes.TrimPrefix(data, []byte("\ufeff"))) {
			if line = bytes.TrimSuffix(bytes.TrimSuffix(line, []byte("\n")), []byte("\r")); len(line) > 0 {
				lines++
			}
		}
		require.Equal(t, lines, len(o.records)+len(o.faults))
	})
}

func requireSound(t *testing.T, o outcome) {
	t.Helper()
	line := int64(0)
	for _, rec := range o.records {
		require.Greater(t, rec.Position.Line, line, "in their order")
		line = rec.Position.Line
		require.NoError(t, walletcore.CheckID("user", rec.User, walletcore.MaxGivenID))
		require.NoError(t, walletcore.CheckCurrency(rec.Currency))
		require.True(t, rec.Real.InRange())
		require.Equal(t, rec.ID == "", rec.Digest != [record.DigestSize]byte{})
		if rec.ID != "" {
			require.NoError(t, walletcore.CheckID("id", rec.ID, walletcore.MaxExternalID))
		}
	}
	for _, fault := range append(o.faults, o.end) {
		require.False(t, strings.ContainsFunc(fault, unicode.IsControl), "%q", fault)
		require.Less(t, len(fault), 4096)
	}
}
