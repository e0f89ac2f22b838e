package record_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/walletcore/record"
)

func smallJSON(t testing.TB, lines ...string) record.Mapping {
	t.Helper()
	return small(t, append([]string{"format: ndjson", "ignore: [extra]"}, lines...)...)
}

const goodJSON = `{"user":"ann","currency":"EUR","amount":"1","id":"x"}` + "\n"

func TestNDJSON_EveryFaultIsARowErrorWithItsPlace(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ row, fault string }{
		"half":              {`{"user":"ann"`, `moves:2:1: is not one JSON object`},
		"list":              {`[1]`, `moves:2:1: is not one JSON object`},
		"two":               {`{} {}`, `moves:2:1: is not one JSON object`},
		"word":              {`null`, `moves:2:1: is not one JSON object`},
		"blanks":            {`  `, `moves:2:1: is not one JSON object`},
		"twice":             {`{"user":"ann","currency":"EUR","amount":"1","amount":"2"}`, `moves:2:4: amount stands twice in its object`},
		"twice, escaped":    {`{"amount":"1","\u0061mount":"2"}`, `moves:2:2: amount stands twice in its object`},
		"twice, null":       {`{"extra":null,"extra":null}`, `moves:2:2: extra stands twice in its object`},
		"unknown":           {`{"user":"ann","Amount":"1"}`, `moves:2:2: Amount is not a declared column`},
		"a number":          {`{"user":"ann","currency":"EUR","amount":1,"id":"x"}`, `moves:2:3: real "1" must be a JSON string`},
		"a fraction":        {`{"user":"ann","currency":"EUR","amount":1.5,"id":"x"}`, `moves:2:3: amount must be a JSON string`},
		"an exponent":       {`{"user":"ann","currency":"EUR","amount":1E1000000000,"id":"x"}`, `moves:2:3: amount must be a JSON string`},
		"a word for text":   {`{"user":true,"currency":"EUR","amount":"1","id":"x"}`, `moves:2:1: user must be a JSON string`},
		"an object":         {`{"user":{"id":"ann"},"currency":"EUR","amount":"1","id":"x"}`, `moves:2:1: user must be a JSON string`},
		"minus zero":        {`{"user":-0,"currency":"EUR","amount":"1","id":"x"}`, `moves:2:1: user must be a JSON string`},
		"currency by digit": {`{"user":"ann","currency":978,"amount":"1","id":"x"}`, `moves:2:2: currency "978" must be a JSON string`},
		"absent":            {`{"user":"ann","currency":"EUR","id":"x"}`, `moves:2: real is empty`},
		"null":              {`{"user":"ann","currency":"EUR","amount":null,"id":"x"}`, `moves:2:3: real is empty`},
		"NUL":               {`{"user":"a\u0000b","currency":"EUR","amount":"1","id":"x"}`, `moves:2:1: user "a\u0000b" holds a NUL byte`},
		"half a pair":       {`{"user":"a\ud800","currency":"EUR","amount":"1","id":"x"}`, "moves:2:1: user \"a\ufffd\" holds bytes that are not of the declared encoding"},
		"not UTF-8":         {"{\"user\":\"a\xff\",\"currency\":\"EUR\",\"amount\":\"1\",\"id\":\"x\"}", `moves:2:1: user "a\xff" holds bytes that are not of the declared encoding`},
		"blank line":        {"", `moves:2:1: is a blank line`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o := readText(t, smallJSON(t), goodJSON+c.row+"\n"+goodJSON)
			require.Equal(t, []string{c.fault}, o.faults)
			require.Empty(t, o.end)
			require.Len(t, o.records, 2, "the rows around it are read")
			require.EqualValues(t, 3, o.records[1].Position.Line)
		})
	}
}

func TestNDJSON_WhatIsOnlyAnotherWayToWriteIsRead(t *testing.T) {
	t.Parallel()
	for name, line := range map[string]string{
		"spaces":     " { \"user\" : \"ann\" ,\t\"currency\":\"EUR\" , \"amount\" : \"1\",\"id\":\"x\" } \r",
		"escapes":    `{"\u0075ser":"\u0061nn","currency":"EUR","amount":"1","id":"\u0078"}`,
		"not used":   `{"extra":{"a":["}\"",{"b":1.5e3}],"a":2},"user":"ann","currency":"EUR","amount":"1","id":"x"}`,
		"a mark":     "\ufeff" + strings.TrimSpace(goodJSON),
		"list":       `{"user":"ann","currency":"EUR","amount":"1","id":"x","extra":[[],{}]}`,
		"not quoted": `{"user":"ann","currency":"EUR","amount":"1","id":"x","extra":-1.5E-7 }`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o := readText(t, smallJSON(t), line)
			require.Empty(t, o.faults)
			require.Len(t, o.records, 1)
			require.Equal(t, "ann EUR x 1.00000000",
				o.records[0].User+" "+o.records[0].Currency+" "+o.records[0].ID+" "+o.records[0].Real.String())
		})
	}
}

func TestNDJSON_WholeNumbersAreUnitsAndIDsByTheirDigits(t *testing.T) {
	t.Parallel()
	m := smallJSON(t, `units: {"*": minor}`)
	o := readText(t, m, `{"user":1001,"currency":"EUR","amount":-1250,"id":7328334202200869666}`+"\n"+
		`{"user":1001,"currency":"EUR","amount":"1250","id":7328334202200869667}`+"\n"+
		`{"user":1001,"currency":"EUR","amount":`+strings.Repeat("9", 40)+`,"id":1}`)
	require.Equal(t, "7328334202200869666", o.records[0].ID)
	require.Equal(t, "7328334202200869667", o.records[1].ID)
	require.Equal(t, "-12.50000000", o.records[0].Real.String())
	require.Equal(t, "12.50000000", o.records[1].Real.String())
	require.Len(t, o.faults, 1)
	require.Contains(t, o.faults[0], "moves:3:3: real")
	require.Contains(t, o.faults[0], "is out of range")
}

func TestNDJSON_BlankLinesStandWhereTheyAreDeclared(t *testing.T) {
	t.Parallel()
	text := goodJSON + "\n\r\n" + goodJSON + goodJSON + "\n\n"
	for policy, want := range map[string][]string{
		"refuse":   {"moves:2:1: is a blank line", "moves:3:1: is a blank line", "moves:6:1: is a blank line", "moves:7:1: is a blank line"},
		"end":      {"moves:2:1: is a blank line"},
		"anywhere": nil,
	} {
		o := readText(t, smallJSON(t, "blank_lines: "+policy), text)
		require.Equal(t, want, o.faults, policy)
		require.Len(t, o.records, 3)
	}
}

func TestNDJSON_ALineIsBounded(t *testing.T) {
	t.Parallel()
	long := strings.Replace(goodJSON, "ann", strings.Repeat("a", 200_000), 1)
	o := readText(t, smallJSON(t), goodJSON+long+goodJSON)
	require.Len(t, o.faults, 1)
	require.Contains(t, o.faults[0], "moves:2:1: user")
	require.Len(t, o.records, 2)

	o = readText(t, smallJSON(t), goodJSON+strings.Repeat("[", 3<<20))
	require.Equal(t, "moves:2: has a row of more than 1 MiB; a quote may be missing", o.end)
}
