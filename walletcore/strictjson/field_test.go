package strictjson_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/walletcore/strictjson"
)

func parse(t *testing.T, body string) strictjson.Object {
	t.Helper()
	o, err := strictjson.Parse([]byte(body))
	require.NoError(t, err)
	return o
}

func TestID_KeepsDigitsBeyondFloat(t *testing.T) {
	t.Parallel()
	o := parse(t, `{"a":7328334202200869666,"b":7328334202200869667,"c":"ORDER123","d":"order123",
		"long":123456789012345678901234567890}`)
	for name, want := range map[string]string{
		"a": "7328334202200869666", "b": "7328334202200869667", "c": "ORDER123", "d": "order123",
		"long": "123456789012345678901234567890", "absent": "",
	} {
		id, err := o.ID(name, 255)
		require.NoError(t, err)
		require.Equal(t, want, id)
	}
}

func TestID_RefusesWhatCannotBeAKey(t *testing.T) {
	t.Parallel()
	for value, reason := range map[string]string{
		`""`:                                  "must not be empty",
		`"   "`:                               "must not be empty",
		`"a\u0000b"`:                          "holds a control character",
		`" a"`:                                "begins or ends with a blank",
		`"a\ud800"`:                           "holds a broken character",
		`1.0`:                                 "must be a string or an integer",
		`1e3`:                                 "must be a string or an integer",
		`true`:                                "must be a string or an integer",
		`["a"]`:                               "must be a string or an integer",
		strings.Repeat("1", 256):              "is longer than 255 bytes",
		`"` + strings.Repeat("x", 5000) + `"`: "is longer than 255 bytes",
	} {
		at, ok, err := parse(t, `{"at":{"id":`+value+`}}`).Object("at")
		require.NoError(t, err)
		require.True(t, ok)
		_, err = at.ID("id", 255)
		require.EqualError(t, err, "at.id "+reason, value)
	}
}

func TestInt_NeverPassesThroughAFloat(t *testing.T) {
	t.Parallel()
	n, ok, err := parse(t, `{"n":9223372036854775807}`).Int("n")
	require.NoError(t, err)
	require.True(t, ok)
	require.Equal(t, int64(9223372036854775807), n)

	for value, reason := range map[string]string{
		"1.0": "must be an integer", "1e2": "must be an integer", "1E1000000000": "must be an integer",
		`"1"`: "must be an integer", "-0": "must be an integer", "{}": "must be an integer",
		"9223372036854775808": "is out of range", strings.Repeat("9", 900_000): "is out of range",
	} {
		_, _, err := parse(t, `{"n":`+value+`}`).Int("n")
		require.EqualError(t, err, "n "+reason)
	}
	_, ok, err = parse(t, `{"n":null}`).Int("n")
	require.NoError(t, err)
	require.False(t, ok)
}

func TestText_IsNeverGuessedFromAnotherType(t *testing.T) {
	t.Parallel()
	o := parse(t, `{"n":12.5,"b":false,"o":{},"l":[],"null":null}`)
	for _, name := range []string{"n", "b", "o", "l"} {
		_, _, err := o.Text(name)
		require.EqualError(t, err, name+" must be a string")
	}
	_, ok, err := o.Text("null")
	require.NoError(t, err)
	require.False(t, ok)
	_, _, err = o.Object("n")
	require.EqualError(t, err, "n must be an object")
}

func TestObjects_AreAListOfNothingElse(t *testing.T) {
	t.Parallel()
	o := parse(t, `{"good":[{"n":1},{"n":2}],"none":[],"null":null,"n":1,"mixed":[{},1],"holes":[null]}`)
	list, ok, err := o.Objects("good")
	require.NoError(t, err)
	require.True(t, ok)
	require.Len(t, list, 2)
	n, _, err := list[1].Int("n")
	require.NoError(t, err)
	require.EqualValues(t, 2, n)
	_, _, err = list[1].Text("n")
	require.EqualError(t, err, "good[].n must be a string")
	for name, there := range map[string]bool{"none": true, "null": false, "absent": false} {
		list, ok, err := o.Objects(name)
		require.NoError(t, err)
		require.Equal(t, there, ok)
		require.Empty(t, list)
	}
	for _, name := range []string{"n", "mixed", "holes"} {
		_, _, err := o.Objects(name)
		require.EqualError(t, err, name+" must be a list of objects")
	}
}
