package strictjson_test

import (
	"encoding/json"
	"math/big"
	"strings"
	"testing"
	"unicode"

	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/walletcore"
	"github.com/walletctl/walletctl/walletcore/strictjson"
)

// FuzzParse: what is read is JSON and says the same to a lenient reader; each
// field is read as its digits or its bytes say, or refused by its name; no
// error quotes what could break a log.
func FuzzParse(f *testing.F) {
	f.Add([]byte(`{"id":7328334202200869666,"amount":"1.50","list":[{"n":1},{"n":-2}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		object, err := strictjson.Parse(data)
		if err != nil {
			requireFault(t, err)
			return
		}
		lenient := map[string]json.RawMessage{}
		require.NoError(t, json.Unmarshal(data, &lenient))
		for name, raw := range lenient {
			requireField(t, object, name, strings.TrimSpace(string(raw)))
		}
		require.Error(t, strictjson.Object{}.Fault("x", "y"))
		if err := object.Only(); len(lenient) > 0 {
			requireFault(t, err)
		}
	})
}

func requireField(t *testing.T, o strictjson.Object, name, raw string) {
	t.Helper()
	require.Equal(t, raw != "null", o.Has(name))
	id, err := o.ID(name, walletcore.MaxGivenID)
	switch {
	case err != nil:
		requireFault(t, err)
	case id != "" && raw[0] != '"':
		require.Equal(t, raw, id, "digits are kept")
	case id != "":
		require.False(t, strings.ContainsFunc(id, unicode.IsControl) || strings.TrimSpace(id) != id || len(id) > walletcore.MaxGivenID)
	}
	if n, given, err := o.Int(name); err != nil {
		requireFault(t, err)
	} else if given {
		exact, ok := new(big.Int).SetString(raw, 10)
		require.True(t, ok && exact.IsInt64() && exact.Int64() == n, "%s became %d", raw, n)
	}
	if text, given, err := o.Text(name); err == nil && given {
		var want string
		require.NoError(t, json.Unmarshal([]byte(raw), &want))
		require.Equal(t, want, text)
	}
	if inner, given, err := o.Object(name); err == nil && given {
		requireFault(t, inner.Fault("x", "is wrong"))
	}
	if list, given, err := o.Objects(name); err == nil && given {
		require.Equal(t, byte('['), raw[0])
		for _, item := range list {
			requireFault(t, item.Fault("x", "is wrong"))
		}
	}
}

// requireFault: the error names a field, in a text that is fit for a log.
func requireFault(t *testing.T, err error) {
	t.Helper()
	var fault *walletcore.FieldError
	require.ErrorAs(t, err, &fault)
	require.NotEmpty(t, fault.Reason)
	require.Less(t, len(fault.Error()), 70*(4*64+8), "no longer than its path may be")
	require.False(t, strings.ContainsFunc(fault.Reason, unicode.IsControl))
}
