package record_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/walletcore/record"
)

func TestCSV_EveryFaultIsARowErrorWithItsPlace(t *testing.T) {
	t.Parallel()
	m := small(t, `time: {layout: rfc3339}`, `fields: {user: user, currency: currency, real: amount, id: id, time: at}`)
	for name, c := range map[string]struct{ row, fault string }{
		"too few fields":        {"ann,EUR,1,x", `moves:3:5: has 4 fields, the header has 5`},
		"too many fields":       {"ann,EUR,1,x,2025-01-01T00:00:00Z,", `moves:3:6: has 6 fields, the header has 5`},
		"decimal comma":         {`ann,EUR,"1,50",x,2025-01-01T00:00:00Z`, `moves:3:3: real "1,50" is not written with the declared decimal and thousands mark`},
		"blank in amount":       {"ann,EUR,1 000.00,x,2025-01-01T00:00:00Z", `moves:3:3: real "1 000.00" is not written with the declared decimal and thousands mark`},
		"blank before amount":   {"ann,EUR, 1,x,2025-01-01T00:00:00Z", `moves:3:3: real " 1" is not written with the declared decimal and thousands mark`},
		"exponent":              {"ann,EUR,1E9,x,2025-01-01T00:00:00Z", `moves:3:3: real "1E9" is not a plain decimal number such as 12.50`},
		"40 digits":             {"ann,EUR," + strings.Repeat("1", 40) + ",x,2025-01-01T00:00:00Z", `moves:3:3: real "` + strings.Repeat("1", 40) + `" is out of range: at most 10 digits before the point`},
		"a million digits":      {"ann,EUR," + strings.Repeat("1", 500_000) + ",x,2025-01-01T00:00:00Z", `moves:3:3: real "` + strings.Repeat("1", 64) + `…" is longer than 64 characters`},
		"9 places":              {"ann,EUR,0.000000001,x,2025-01-01T00:00:00Z", `moves:3:3: real "0.000000001" has more than 8 decimal places`},
		"two signs":             {"ann,EUR,--1,x,2025-01-01T00:00:00Z", `moves:3:3: real "--1" has more than one sign`},
		"sign behind":           {"ann,EUR,1-,x,2025-01-01T00:00:00Z", `moves:3:3: real "1-" is not a plain decimal number such as 12.50`},
		"not a number":          {"ann,EUR,NaN,x,2025-01-01T00:00:00Z", `moves:3:3: real "NaN" is not a plain decimal number such as 12.50`},
		"no amount":             {"ann,EUR,,x,2025-01-01T00:00:00Z", `moves:3:3: real is empty`},
		"no user":               {",EUR,1,x,2025-01-01T00:00:00Z", `moves:3:1: user is empty`},
		"blank user":            {"  ,EUR,1,x,2025-01-01T00:00:00Z", `moves:3:1: user "  " must not be empty`},
		"blank id":              {"ann,EUR,1,   ,2025-01-01T00:00:00Z", `moves:3:4: id "   " must not be empty`},
		"blank before id":       {"ann,EUR,1, x,2025-01-01T00:00:00Z", `moves:3:4: id " x" begins or ends with a blank`},
		"long id":               {"ann,EUR,1," + strings.Repeat("x", 321) + ",2025-01-01T00:00:00Z", `moves:3:4: id "` + strings.Repeat("x", 64) + `…" is longer than 320 bytes`},
		"currency in lower":     {"ann,eur,1,x,2025-01-01T00:00:00Z", `moves:3:2: currency "eur" must be an upper-case code such as EUR`},
		"no time":               {"ann,EUR,1,x,", `moves:3:5: time is empty`},
		"time without offset":   {"ann,EUR,1,x,2025-01-01T00:00:00", `moves:3:5: time "2025-01-01T00:00:00" is not a time of the declared layout`},
		"30 February":           {"ann,EUR,1,x,2025-02-30T00:00:00Z", `moves:3:5: time "2025-02-30T00:00:00Z" is not a time of the declared layout`},
		"NUL":                   {"ann,EUR,1,a\x00b,2025-01-01T00:00:00Z", `moves:3:4: id "a\u0000b" holds a NUL byte`},
		"not UTF-8":             {"ann,EUR,1,a\xffb,2025-01-01T00:00:00Z", `moves:3:4: id "a\xffb" holds bytes that are not of the declared encoding`},
		"broken before":         {"ann,EUR,1,a\ufffdb,2025-01-01T00:00:00Z", "moves:3:4: id \"a\ufffdb\" holds bytes that are not of the declared encoding"},
		"a mark in the middle":  {"\ufeffann,EUR,1,x,2025-01-01T00:00:00Z", `moves:3:1: user "\ufeffann" holds bytes that are not of the declared encoding`},
		"quote in a bare field": {`ann,EUR,1,a"b,2025-01-01T00:00:00Z`, `moves:3:4: has a quote where none may stand, or one that never closes`},
		"text behind a quote":   {`ann,EUR,"1"0,x,2025-01-01T00:00:00Z`, `moves:3:3: has a quote where none may stand, or one that never closes`},
		"a second header":       {"user,currency,amount,id,at", `moves:3:2: currency "currency" must be an upper-case code such as EUR`},
		"terminal codes":        {"ann,EUR,1,\x1b[2J,2025-01-01T00:00:00Z", `moves:3:4: id "\u001b[2J" holds a control character`},
		"blank line":            {"", `moves:3:1: is a blank line`},
		"three blank lines":     {"\r\n\n", `moves:3:1: is a blank line`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			const good = "ann,EUR,1,%,2025-01-01T00:00:00Z\n"
			o := readText(t, m, "user,currency,amount,id,at\n"+good+c.row+"\n"+good)
			require.Equal(t, []string{c.fault}, o.faults)
			require.Empty(t, o.end)
			require.Len(t, o.records, 2, "the rows around it are read")
			require.EqualValues(t, 1, o.summary.Files[0].Refused)
			require.EqualValues(t, 2, o.summary.Files[0].Rows)
		})
	}
}

func TestCSV_WhatIsOnlyAnotherWayToWriteIsRead(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"plain":                     smallHeader + "ann,EUR,-12.50,x\n",
		"byte order mark":           "\ufeff" + smallHeader + "ann,EUR,-12.50,x\n",
		"mark before a quote":       "\ufeff\"user\",currency,amount,id\nann,EUR,-12.50,x\n",
		"CRLF":                      "user,currency,amount,id\r\nann,EUR,-12.50,x\r\n",
		"no last newline":           smallHeader + "ann,EUR,-12.50,x",
		"a CR and no last newline":  smallHeader + "ann,EUR,-12.50,x\r",
		"quotes":                    `"user","currency","amount","id"` + "\n" + `"ann","EUR","-12.50","x"`,
		"columns in another order":  "id,amount,currency,user\nx,-12.50,EUR,ann\n",
		"more zeros":                smallHeader + "ann,EUR,-012.5000000000000,x\n",
		"nothing behind the header": smallHeader,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o := readText(t, small(t), text)
			require.Empty(t, o.faults)
			require.Empty(t, o.end)
			if len(o.records) == 0 {
				require.Equal(t, smallHeader, text)
				return
			}
			require.Len(t, o.records, 1)
			require.Equal(t, "ann EUR x -12.50000000",
				o.records[0].User+" "+o.records[0].Currency+" "+o.records[0].ID+" "+o.records[0].Real.String())
		})
	}
}

func TestCSV_ALineIsCountedThroughQuotedLineBreaks(t *testing.T) {
	t.Parallel()
	m := small(t, "ignore: [note]")
	o := readText(t, m, "user,currency,amount,id,note\nann,EUR,1,a,\"one\ntwo\r\nthree\"\nbob,EUR,x,b,\n\"c\nd\",EUR,1,c,\neve,EUR,2,e,end\n")
	require.Equal(t, []string{
		`moves:5:3: real "x" is not a plain decimal number such as 12.50`,
		`moves:6:1: user "c\u000ad" holds a control character`,
	}, o.faults)
	require.EqualValues(t, 2, o.records[0].Position.Line)
	require.EqualValues(t, 8, o.records[1].Position.Line)
}

func TestCSV_AQuoteThatNeverClosesSaysHowManyLinesItTook(t *testing.T) {
	t.Parallel()
	o := readText(t, small(t), smallHeader+"ann,EUR,1,\"a\nbob,EUR,2,b\ncid,EUR,3,\"c\neve,EUR,4,e\n")
	require.Equal(t, []string{`moves:2:4: has a quote where none may stand, or one that never closes, up to line 4`}, o.faults)
	require.Equal(t, "eve", o.records[0].User)

	o = readText(t, small(t), smallHeader+"ann,EUR,1,\"a\n"+strings.Repeat("bob,EUR,2,b\n", 150_000))
	require.Equal(t, "moves:2: has a row of more than 1 MiB; a quote may be missing", o.end)
	require.Empty(t, o.records)
}

func TestCSV_BlankLinesStandWhereTheyAreDeclared(t *testing.T) {
	t.Parallel()
	text := smallHeader + "ann,EUR,1,a\n\n\r\nbob,EUR,1,b\n\n\n"
	for policy, want := range map[string][]string{
		"refuse":   {"moves:3:1: is a blank line", "moves:6:1: is a blank line"},
		"end":      {"moves:3:1: is a blank line"},
		"anywhere": nil,
	} {
		o := readText(t, small(t, "blank_lines: "+policy), text)
		require.Equal(t, want, o.faults, policy)
		require.Empty(t, o.end)
		require.Len(t, o.records, 2)
		require.EqualValues(t, 5, o.records[1].Position.Line)
	}
	require.EqualValues(t, 4, readText(t, small(t, "blank_lines: anywhere"), text).summary.Files[0].Blank)
	require.Equal(t, "moves:1: is a blank line", readText(t, small(t), "\n"+text).end)
}

func TestHeader_IsExactlyTheDeclaredColumns(t *testing.T) {
	t.Parallel()
	for header, want := range map[string]string{
		"":                                   "moves: has no header",
		"user,currency,amount":               "moves:1: has another header than declared: lacks id",
		"user,currency,amount,id,x":          "moves:1: has another header than declared: has the undeclared x",
		"user,currency,amount,id,":           "moves:1: has another header than declared: has the undeclared ",
		"user,currency,amount,id,id":         "moves:1: has another header than declared: repeats id",
		"User,currency,amount,id ":           `moves:1: has another header than declared: lacks id, user; has the undeclared User, id `,
		"user;currency;amount;id":            `moves:1: has another header than declared: lacks amount, currency, id, user; has the undeclared user;currency;amount;id`,
		"user,currency,\"amount,id":          "moves:1: has a quote where none may stand, or one that never closes",
		"user,currency,amount,id\ra,EUR,1,1": `moves:1: has another header than declared: lacks id; has the undeclared id\u000da, EUR, 1; repeats 1`,
	} {
		o := readText(t, small(t), header)
		require.Equal(t, want, o.end)
		require.Empty(t, o.records)
	}
}

func TestHeader_OfTheLastFileStopsBeforeTheFirstRow(t *testing.T) {
	t.Parallel()
	dir := folder(t, map[string]string{"a.csv": smallHeader + "ann,EUR,1,a\n", "b.csv": "user,currency,id\n"})
	_, err := record.Open(t.Context(), small(t), record.Path(dir))
	require.EqualError(t, err, dir+"/b.csv:1: has another header than declared: lacks amount")
}
