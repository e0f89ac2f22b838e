package strictjson_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/walletcore"
	"github.com/walletctl/walletctl/walletcore/strictjson"
)

func TestParse_RefusesWhatTwoReadersCouldReadDifferently(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ body, field, reason string }{
		"empty":              {"", "body", "is not valid JSON"},
		"half":               {"{", "body", "is not valid JSON"},
		"list":               {`[1]`, "body", "is not a JSON object"},
		"null":               {`null`, "body", "is not a JSON object"},
		"trailing":           {`{} {}`, "body", "is not valid JSON"},
		"trailing comma":     {`{"a":1,}`, "body", "is not valid JSON"},
		"duplicate":          {`{"amount":1,"amount":2}`, "amount", "stands twice"},
		"duplicate, escaped": {`{"amount":1,"\u0061mount":2}`, "amount", "stands twice"},
		"duplicate, deep":    {`{"a":[{"b":{"c":1,"c":null}}]}`, "a[].b.c", "stands twice"},
		"not UTF-8":          {"{\"a\":\"\xff\"}", "body", "is not valid UTF-8"},
		"too deep":           {strings.Repeat(`{"a":`, 65) + "1" + strings.Repeat("}", 65), "body", "nests too deep"},
		"bomb of brackets":   {`{"a":` + strings.Repeat("[", 500_000), "body", "is not valid JSON"},
		"half escape":        {`{"a":"\u00`, "body", "is not valid JSON"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := strictjson.Parse([]byte(c.body))
			require.Equal(t, &walletcore.FieldError{Field: c.field, Reason: c.reason}, err)
		})
	}
}

func TestParse_KeysMatchInCaseToo(t *testing.T) {
	t.Parallel()
	o, err := strictjson.Parse([]byte(`{"Amount":"1","amount":"2"}`))
	require.NoError(t, err)
	text, ok, err := o.Text("amount")
	require.NoError(t, err)
	require.True(t, ok)
	require.Equal(t, "2", text)
	require.False(t, o.Has("AMOUNT"))
}

func TestParse_UnreadFieldsMayHoldAnyJSON(t *testing.T) {
	t.Parallel()
	_, err := strictjson.Parse([]byte(`{"rate":1.25e-05,"note":"a\u0000b","huge":` + strings.Repeat("9", 5000) + `}`))
	require.NoError(t, err)
}

func TestOnly_NamesTheFirstUnknownField(t *testing.T) {
	t.Parallel()
	o, err := strictjson.Parse([]byte("{\"a\":1,\"z\":1,\"c\\n\":1}"))
	require.NoError(t, err)
	require.EqualError(t, o.Only("a"), `c\n is not a field of this request`)
	require.NoError(t, o.Only("a", "z", "c\n"))
	o, err = strictjson.Parse([]byte(`{"a":1,"":1}`))
	require.NoError(t, err)
	require.EqualError(t, o.Only("a"), `"" is not a field of this request`)
}
