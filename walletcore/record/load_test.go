package record_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/walletcore/record"
)

func TestNamed_EachReadyMappingIsWholeAndCanBeWrittenOut(t *testing.T) {
	t.Parallel()
	require.Equal(t, []string{"ledger-debit-credit", "ledger-minor-units", "walletctl", "walletctl-ndjson"}, record.Names())
	for _, name := range record.Names() {
		m := named(t, name)
		require.NoError(t, m.Require("brand", "user", "currency", "kind", "id", "real", "time"))
		text, err := record.Text(name)
		require.NoError(t, err)
		path := filepath.Join(folder(t, map[string]string{"mine.yaml": string(text)}), "mine.yaml")
		loaded, err := record.Load(path)
		require.NoError(t, err)
		require.Equal(t, path, loaded.Name)
		loaded.Name = name
		require.Empty(t, cmp.Diff(m, loaded))
	}
	_, err := record.Named("../record")
	require.EqualError(t, err, "mapping ../record is not a ready one; there are ledger-debit-credit, ledger-minor-units, walletctl, walletctl-ndjson")
	_, err = record.Load("/nowhere/m.yaml")
	require.EqualError(t, err, "mapping /nowhere/m.yaml cannot be read: no such file or directory")
}

// What the documentation shows is a mapping.
func TestLoad_TheExampleOfTheDocumentationIsWhole(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../docs/mappings.md")
	require.NoError(t, err)
	example := between(string(text), "```yaml\n", "```")
	m := parsed(t, example)
	rows := between(string(text), "```csv\n", "```")
	o := readText(t, m, rows)
	require.Empty(t, o.faults)
	require.Empty(t, o.end)
	require.Len(t, o.records, 3)
}
