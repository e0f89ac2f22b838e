package httpapi_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/cmd/casino/internal/httpapi"
)

func TestTokens_RefuseWhatIsWeakOrStandsTwice(t *testing.T) {
	t.Parallel()
	tokens := &httpapi.Tokens{}
	require.NoError(t, tokens.Add("site-acme", "acme", []byte(acmeToken)))
	for _, c := range []struct{ name, brand, token, want string }{
		{"", "acme", zetaToken, "name must not be empty"},
		{"x", "", zetaToken, "brand must not be empty"},
		{"x", strings.Repeat("b", 65), zetaToken, "brand is longer than 64 bytes"},
		{"x", "acme", "", "token is empty or shorter than 16 bytes"},
		{"x", "acme", strings.Repeat(" ", 20), "token is empty or shorter than 16 bytes"},
		{"x", "acme", "short", "token is empty or shorter than 16 bytes"},
		{"x", "acme", "with a blank in the middle", "token holds a character that cannot stand in a header"},
		{"x", "acme", "with-a-line\nbreak-in-it", "token holds a character that cannot stand in a header"},
		{"site-acme", "acme", zetaToken, "name stands twice"},
		{"x", "zeta", acmeToken, "token is the same as that of site-acme"},
	} {
		err := tokens.Add(c.name, c.brand, []byte(c.token))
		require.EqualError(t, err, c.want)
	}
	require.Equal(t, 1, tokens.Len())
}

func TestTokens_NoVerbPrintsAToken(t *testing.T) {
	t.Parallel()
	tokens := &httpapi.Tokens{}
	require.NoError(t, tokens.Add("site-acme", "acme", []byte(acmeToken)))
	for _, format := range []string{"%v", "%+v", "%#v", "%s", "%q"} {
		require.NotContains(t, fmt.Sprintf(format, tokens), acmeToken)
	}
}
