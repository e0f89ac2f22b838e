package record_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/walletcore/record"
)

// outcome is all that a reader said.
type outcome struct {
	records []record.Record
	faults  []string // of rows
	end     string   // of the file, empty where it was whole
	summary record.Summary
}

// read reads sources to their end.
func read(t testing.TB, m record.Mapping, sources ...record.Source) (o outcome) {
	t.Helper()
	reader, err := record.Open(t.Context(), m, sources...)
	if err != nil {
		return outcome{end: err.Error()}
	}
	for rec, err := range reader.Records() {
		var row *record.RowError
		switch {
		case err == nil:
			o.records = append(o.records, rec)
		case requireAs(t, err, &row):
			require.Empty(t, rec)
			o.faults = append(o.faults, row.Error())
		default:
			o.end = err.Error()
		}
	}
	o.summary = reader.Summary()
	return o
}

// requireAs reports whether err is a *RowError; what else it may be is a
// *FileError.
func requireAs(t testing.TB, err error, row **record.RowError) bool {
	t.Helper()
	var file *record.FileError
	switch e := err.(type) {
	case *record.RowError:
		*row = e
		return true
	default:
		require.ErrorAs(t, err, &file)
	}
	return false
}

func readText(t testing.TB, m record.Mapping, text string) outcome {
	t.Helper()
	return read(t, m, record.Stream("moves", strings.NewReader(text)))
}

func named(t testing.TB, name string) record.Mapping {
	t.Helper()
	m, err := record.Named(name)
	require.NoError(t, err)
	return m
}

// parsed is a mapping from its text.
func parsed(t testing.TB, text string) record.Mapping {
	t.Helper()
	m, err := record.Parse("test", []byte(text))
	require.NoError(t, err)
	return m
}

// small is a mapping with four columns, and lines changed in it.
func small(t testing.TB, lines ...string) record.Mapping {
	t.Helper()
	text := `
format: csv
files: "*.csv*"
units: {"*": main}
sign: {by: column}
order: file
fields: {user: user, currency: currency, real: amount, id: id}
`
	for _, line := range lines {
		key, _, _ := strings.Cut(line, ":")
		kept := ""
		for _, old := range strings.Split(text, "\n") {
			if !strings.HasPrefix(old, key+":") {
				kept += old + "\n"
			}
		}
		text = kept + line
	}
	return parsed(t, text)
}

const smallHeader = "user,currency,amount,id\n"

func TestRecords_OursIsReadAsItStands(t *testing.T) {
	t.Parallel()
	o := readText(t, named(t, "walletctl"), walletctlHeader+
		"acme,ann,EUR,bet,games:1,-2.50,-1,97.5,0.00,ref,round-1,2025-03-01T10:00:00.123456+01:00\n"+
		"acme,ann,EUR,deposit,,10,0,,,,,2025-03-01T10:00:01Z\n")
	require.Empty(t, o.faults)
	require.Empty(t, o.end)
	require.Len(t, o.records, 2)

	bet := o.records[0]
	require.Equal(t, record.Position{File: "moves", Line: 2}, bet.Position)
	require.Equal(t, "acme ann EUR bet games:1", strings.Join([]string{bet.Brand, bet.User, bet.Currency, string(bet.Kind), bet.ID}, " "))
	require.Equal(t, "-2.50000000", bet.Real.String())
	require.Equal(t, "-1.00000000", bet.Bonus.String())
	require.Equal(t, "97.50000000", bet.RealAfter.Money.String())
	require.True(t, bet.RealAfter.Known)
	require.True(t, bet.BonusAfter.Known)
	require.Equal(t, "ref", bet.Reference)
	require.Equal(t, "round-1", bet.Round)
	require.Equal(t, "2025-03-01T09:00:00.123456Z", bet.Time.Format("2006-01-02T15:04:05.999999999Z07:00"))
	require.Zero(t, bet.Digest)

	deposit := o.records[1]
	require.Empty(t, deposit.ID)
	require.NotZero(t, deposit.Digest)
	require.False(t, deposit.RealAfter.Known)
}

func TestRecords_BothFormsOfOursSayTheSame(t *testing.T) {
	t.Parallel()
	csv := readText(t, named(t, "walletctl"), walletctlHeader+
		"acme,ann,EUR,bet,7328334202200869666,-2.50,0,97.5,,ref,\"round \"\"1\"\"\",2025-03-01T10:00:00Z\n")
	json := readText(t, named(t, "walletctl-ndjson"), `{"brand":"acme","user":"ann","currency":"EUR","kind":"bet","id":7328334202200869666,"real":"-2.50",`+
		`"bonus":"0","real_after":"97.5","bonus_after":null,"reference":"ref","round":"round \"\u0031\"","occurred_at":"2025-03-01T10:00:00Z"}`)
	require.Empty(t, csv.faults)
	require.Empty(t, json.faults)
	json.records[0].Position = csv.records[0].Position
	require.Equal(t, csv.records, json.records)
}

func TestDigest_TellsRowsWithoutAnIDApart(t *testing.T) {
	t.Parallel()
	m := small(t)
	text := smallHeader + "ann,EUR,1,\nann,EUR,1,\nanne,EUR,1,\nann,EUR,1.0,\nannA,EUR,1,\nann,AEUR,1,\n"
	first, second := readText(t, m, text).records, readText(t, m, text).records
	require.Len(t, first, 6)
	require.Equal(t, first[0].Digest, first[1].Digest, "equal rows")
	require.NotEqual(t, first[0].Digest, first[2].Digest)
	require.NotEqual(t, first[0].Digest, first[3].Digest)
	require.NotEqual(t, first[4].Digest, first[5].Digest, "where a value ends counts")
	for i := range first {
		require.Equal(t, first[i].Digest, second[i].Digest, "the same in every run")
	}
}

func TestNamespace_StandsBeforeTheID(t *testing.T) {
	t.Parallel()
	m := small(t, `namespace: "{provider}/{currency}:"`, "format: csv")
	long := strings.Repeat("7", 256)
	o := readText(t, m, "user,currency,amount,id,provider\nann,EUR,1,7,games\nann,EUR,1,7,\nann,EUR,1,,games\nann,EUR,1,"+long+",games\n")
	require.Equal(t, []string{`moves:3:5: namespace is empty`, `moves:5:4: id "` + long[:64] + `…" is longer than 255 bytes`}, o.faults)
	require.Equal(t, "games/EUR:7", o.records[0].ID)
	require.Empty(t, o.records[1].ID, "a namespace alone is no id")
}
