package endtoend_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/walletcore/provider"
)

// The door of a real process stays open, whatever knocks: signatures that are
// none, headers and bodies without end, amounts that would fill the memory.
func TestCallback_NothingOddStopsTheNextGoodOne(t *testing.T) {
	t.Parallel()
	p, doors := newPlaying(t, nil)
	p.funded()
	for _, dialect := range provider.DialectNames() {
		secret, door := doors.signing[acme+"/"+dialect], acme+"/"+dialect
		bet := callbacks(dialect, "u-1", "t-"+dialect)["bet"]
		digest := sign(secret, bet.body)
		for _, values := range [][]string{
			nil, {""}, {digest[:63]}, {"zz" + digest[2:]}, {digest, digest}, {"sha512=" + digest}, {strings.Repeat("a", 1<<20)}, {"\xff"},
		} {
			a := p.knock(door, bet, values)
			require.Contains(t, []int{400, 401, 403, http.StatusRequestHeaderFieldsTooLarge}, a.status, "%s %.80q", dialect, values)
		}
		for _, amount := range []string{"1E1000000000", "1e-400000000", strings.Repeat("9", 200_000), strings.Repeat("9", 10<<20)} {
			odd := bet
			odd.body = strings.NewReplacer(`"1.00"`, `"`+amount+`"`, `:100}`, `:`+amount+`}`).Replace(bet.body)
			require.NotEqual(t, bet.body, odd.body)
			a := p.play(door, secret, odd)
			require.Contains(t, []int{400, http.StatusRequestEntityTooLarge}, a.status, a.body)
			require.Less(t, a.took, 5*time.Second)
		}
		require.Equal(t, http.StatusOK, p.knock(door, bet, []string{strings.ToUpper(digest)}).status)
	}
	require.Equal(t, len(provider.DialectNames()), p.count(`select count(*) from gaming.entries where kind = 'bet'`))
	p.requireMoney(acme, "46.00000000")
}

// knock sends a callback with what stands for its signature.
func (p *platform) knock(door string, c callback, values []string) answer {
	p.t.Helper()
	request, err := http.NewRequest(http.MethodPost, p.gaming.Load().URL()+"/providers/"+door+"/"+c.operation, strings.NewReader(c.body))
	require.NoError(p.t, err)
	for _, value := range values {
		request.Header.Add("X-Signature", value)
		request.Header.Add("X-Request-Sign", value)
		request.Header.Add("Authorization", "HMAC-SHA256 "+value)
	}
	a, err := send(request)
	require.NoError(p.t, err)
	return a
}
