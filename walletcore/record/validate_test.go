package record_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/walletcore/record"
)

const whole = `format: csv
units: {"*": main}
sign: {by: column}
time: {layout: rfc3339}
order: file
fields:
  user: user
  currency: currency
  real: amount
  time: at
`

func TestParse_RefusesWhatLeavesSomethingToGuess(t *testing.T) {
	t.Parallel()
	_, err := record.Parse("test", []byte(whole))
	require.NoError(t, err)
	for _, c := range []struct{ old, new, want string }{
		{whole, "", " is empty"},
		{whole, "- a\n", ", line 1 is not valid, or has a value of the wrong type"},
		{"format", "fromat", ", line 1: fromat is not a known key"},
		{"order: file", "order: file\norder: time", ", line 6: order stands twice"},
		{"  user: user", "  user: user\n  user: u", ", line 8: user stands twice"},
		{"order: file", "order: file\n---\na: b", " holds more than one document"},
		{"format: csv", "format: CSV", ": format must be csv or ndjson"},
		{"format: csv\n", "", ": format must be csv or ndjson"},
		{"order: file\n", "", ": order must be file, time or sequence"},
		{"order: file", "order: sequence", ": order needs the field sequence"},
		{"order: file", "order: file\nencoding: utf-16", ": encoding must be utf-8, latin-1 or windows-1252"},
		{"format: csv", "format: ndjson\nencoding: latin-1", ": encoding of NDJSON must be utf-8"},
		{"order: file", "order: file\ndelimiter: ;;", ": delimiter must be one character, and no quote or line break"},
		{"order: file", "order: file\ndelimiter: '\"'", ": delimiter must be one character, and no quote or line break"},
		{"order: file", "order: file\nfiles: '[a'", ": files must be a pattern of file names, such as *.csv"},
		{"order: file", "order: file\nblank_lines: yes", ": blank_lines must be refuse, end or anywhere"},
		{"order: file", "order: file\nduplicates: drop", ": duplicates must be refuse, skip or keep"},
		{"order: file", "order: file\ndecimal_mark: ';'", ": decimal_mark must be a point or a comma"},
		{"order: file", "order: file\nthousands_mark: '.'", ": thousands_mark must be a point, comma, apostrophe, blank or underscore, and not the decimal mark"},
		{"order: file", "order: file\nthousands_mark: ';'", ": thousands_mark must be a point, comma, apostrophe, blank or underscore, and not the decimal mark"},
		{"units: {\"*\": main}\n", "", `: units is missing: say what amounts count, such as {"*": main}`},
		{"main", "cents", ": units must be main, minor or 0 to 8 for *"},
		{"main", "9", ": units must be main, minor or 0 to 8 for *"},
		{`"*"`, "eur", ": units has eur, which is neither a currency nor *"},
		{"by: column", "by: colour", ": sign.by must be column, direction, sides or kind"},
		{"by: column", "by: column, credit: [C]", ": sign has keys of another way than by: column, or lacks its own"},
		{"by: column", "by: sides", ": sign has keys of another way than by: sides, or lacks its own"},
		{"by: column", "by: direction, column: dc, credit: [C]", ": sign needs column, credit and debit"},
		{"by: column", "by: direction, column: dc, credit: [C], debit: [C]", ": sign has one word twice"},
		{"by: column", "by: sides, credit_column: c, debit_column: c", ": sign needs credit_column and debit_column"},
		{"by: column", "by: sides, credit_column: c, debit_column: d", ": sign by sides leaves no room for the fields real and bonus"},
		{"by: column", "by: kind", ": sign by kind needs the field kind"},
		{"  real: amount\n", "", ": fields has neither real nor bonus"},
		{"  currency: currency\n", "", ": fields has no currency"},
		{"  user: user", "  player: user", ": fields has the unknown player; known are brand, user, currency, kind, id, real, bonus, real_after, bonus_after, fee, reference, round, status, actor, time, sequence"},
		{"  user: user", "  user:", ": fields names no column for user"},
		{"  time: at\n", "", ": time is declared, but no column is the field time"},
		{"time: {layout: rfc3339}\n", "", ": time.layout must be rfc3339, unix, unix_ms or a layout such as 2006-01-02 15:04:05"},
		{"layout: rfc3339", "layout: 2006-01-02 15:04 MST", ": time.layout must not have a zone by its letters, which are not unique"},
		{"layout: rfc3339", "layout: DD.MM.YYYY, zone: UTC", ": time.layout has no year written 2006"},
		{"layout: rfc3339", "layout: rfc3339, zone: UTC", ": time.zone must be empty: the times carry their offset"},
		{"layout: rfc3339", "layout: 2006-01-02", ": time.zone must be the IANA name of a zone, such as Europe/Berlin"},
		{"layout: rfc3339", "layout: 2006-01-02, zone: Local", ": time.zone must be the IANA name of a zone, such as Europe/Berlin"},
		{"layout: rfc3339", "layout: 2006-01-02, zone: Europe/Bonn", ": time.zone must be the IANA name of a zone, such as Europe/Berlin"},
		{"layout: rfc3339", "layout: 2006-01-02, zone: UTC, fold: third", ": time.fold must be first or second, of a time with a zone"},
		{"order: file", "order: file\nignore: [amount]", ": ignore lists amount, which is used"},
		{"order: file", "order: file\nnamespace: 'a}b'", ": namespace has a closing brace without an opening one"},
		{"order: file", "order: file\nnamespace: '{a'", ": namespace must have a column between its braces"},
		{"order: file", "order: file\nconstants: {user: ann}", ": constants has user, which is a column too"},
		{"order: file", "order: file\nconstants: {real: 1}", ": constants has real, which cannot be one"},
		{"order: file", "order: file\nconstants: {brand: ''}", ": constants brand must not be empty"},
		{"order: file", "order: file\nconstants: {kind: gift}", ": kinds gift is neither skip nor a kind of movement"},
		{"order: file", "order: file\nkinds: {a: bet}", ": kinds is declared, but no column is the field kind"},
		{"order: file", "order: file\nstatuses: {a: b}", ": statuses is declared, but no column is the field status"},
		{"  user: user", "  user: user\n  kind: kind", ": kinds is missing: say what the words of the column mean"},
		{"fields:", "kinds: {a: opening}\nfields:\n  kind: kind", ": kinds a is neither skip nor a kind of movement"},
		{"fields:", "kinds: {a: {kind: bet, sing: debit}}\nfields:\n  kind: kind", ", line 6: kinds has an unknown key; known are kind, sign, balance, namespace"},
		{"fields:", "kinds: {a: {kind: bet, sign: debit}}\nfields:\n  kind: kind", ": kinds a has a sign, which is declared to stand elsewhere"},
		{"fields:", "kinds: {a: {kind: bet, sign: up}}\nfields:\n  kind: kind", ": kinds a has a sign other than credit or debit"},
		{"fields:", "kinds: {a: {kind: bet, balance: both}}\nfields:\n  kind: kind", ": kinds a has a balance other than real or bonus"},
		{"fields:", "kinds: {a: {kind: bet, balance: bonus}}\nfields:\n  bonus: b\n  kind: kind", ": kinds a has a balance, though bonus is a column of its own"},
		{"order: file", "order: file\nfooter: {separator: true}", ": footer must have rows, in a CSV file"},
		{"order: file", "order: file\nfooter: {rows: [{column: x, equals: y, count: user}]}", ": footer has the undeclared column x"},
		{"order: file", "order: file\nfooter: {rows: [{column: user, count: user}]}", ": footer must say what its column equals"},
		{"order: file", "order: file\nfooter: {rows: [{column: user, equals: x}]}", ": footer has a row that states neither count nor sums"},
		{"main", "minor}\nfooter: {rows: [{column: user, equals: x, sums: {amount: amount}}]", ": footer has sums whose unit depends on the currency: name its column"},
	} {
		_, err := record.Parse("test", []byte(strings.Replace(whole, c.old, c.new, 1)))
		require.EqualError(t, err, "mapping test"+c.want, c.new)
	}
}

func TestRequire_NamesTheFieldThatACallerNeeds(t *testing.T) {
	t.Parallel()
	m := named(t, "ledger-debit-credit")
	require.NoError(t, m.Require("brand", "user", "kind", "real", "time"))
	require.EqualError(t, m.Require("user", "fee"), "mapping ledger-debit-credit: fields has no fee")
}

func TestValidate_IsAskedBeforeAFileIsOpened(t *testing.T) {
	t.Parallel()
	_, err := record.Open(t.Context(), record.Mapping{Name: "mine"}, record.Path("/nowhere"))
	require.EqualError(t, err, "mapping mine: format must be csv or ndjson")
}
