package output_test

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"io"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/cmd/walletctl/internal/output"
)

func render(t *testing.T, format output.Format, result output.Result) string {
	t.Helper()
	var out bytes.Buffer
	require.NoError(t, output.Write(&out, format, result))
	return out.String()
}

func sample() output.Table {
	table := output.Table{Columns: output.Columns("user", ">amount", "note")}
	table.Add("日本", "-1.00000000", "wide")
	table.Add("u-\x1b[31m", "1000.00000000", "")
	table.Add("🎰", "0.00000001", "one\ntwo")
	table.Add("", "", "")
	return table
}

func TestWrite_TableKeepsColumnsAligned(t *testing.T) {
	t.Parallel()
	require.Equal(t, ""+
		"USER                 AMOUNT  NOTE\n"+
		"日本            -1.00000000  wide\n"+
		"u-\\u001b[31m  1000.00000000\n"+
		"🎰               0.00000001  one\\u000atwo\n"+
		"\n",
		render(t, output.FormatTable, output.Result{CSV: sample()}))
}

func TestWrite_CSVReadsBackAsItWasShown(t *testing.T) {
	t.Parallel()
	table := sample()
	table.Rows = append(table.Rows[:1:1], []string{`a "quoted", text`, "1", "x"})
	rows, err := csv.NewReader(bytes.NewBufferString(render(t, output.FormatCSV, output.Result{CSV: table}))).ReadAll()
	require.NoError(t, err)
	require.Equal(t, [][]string{
		{"user", "amount", "note"},
		{"日本", "-1.00000000", "wide"},
		{`a "quoted", text`, "1", "x"},
	}, rows)
}

func TestWrite_JSONIsHarmlessAndLossless(t *testing.T) {
	t.Parallel()
	given := map[string]string{"id": "a\x1b[2J\u009b\u202e\U000e0041\x7f<&>日本"}
	text := render(t, output.FormatJSON, output.Result{JSON: given})

	var read map[string]string
	require.NoError(t, json.Unmarshal([]byte(text), &read))
	require.Equal(t, given, read)
	require.Equal(t, "{\n  \"id\": \"a\\u001b[2J\\u009b\\u202e\\udb40\\udc41\\u007f<&>日本\"\n}\n", text)
}

func TestWrite_NothingIsWrittenInPieces(t *testing.T) {
	t.Parallel()
	counter := &writes{}
	require.NoError(t, output.Write(counter, output.FormatTable, output.Result{
		Text: []output.Section{{Title: "one"}, {Table: sample()}},
	}))
	require.Equal(t, 1, counter.n)
}

func TestWrite_AReaderThatWentAwayIsAnError(t *testing.T) {
	t.Parallel()
	reader, writer := io.Pipe()
	require.NoError(t, reader.Close())
	err := output.Write(writer, output.FormatCSV, output.Result{CSV: sample()})

	var failed *output.WriteError
	require.ErrorAs(t, err, &failed)
	require.ErrorIs(t, err, io.ErrClosedPipe)
	require.NotEmpty(t, failed.Hint())
}

func TestChoice_RefusesFormatsThatACommandDoesNotHave(t *testing.T) {
	t.Parallel()
	choice := output.NewChoice()
	require.NoError(t, choice.Set("json"))
	require.Equal(t, output.FormatJSON, choice.Format)
	var refused *output.FormatError
	require.ErrorAs(t, choice.Set("nagios"), &refused)
	require.NoError(t, output.NewChoice(output.FormatNagios).Set("nagios"))
	require.True(t, errors.As(choice.Set(""), &refused))
}

type writes struct{ n int }

func (w *writes) Write(p []byte) (int, error) {
	w.n++
	return len(p), nil
}
