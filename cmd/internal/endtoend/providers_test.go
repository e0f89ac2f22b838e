package endtoend_test

import (
	"fmt"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/walletcore/provider"
)

// providerDoors is which game providers may call gaming: at each brand one of
// every dialect, named after it.
type providerDoors struct {
	settings settings          // of a gaming that has the doors
	signing  map[string]string // the secret by brand/provider
}

func newProviderDoors(t *testing.T) providerDoors {
	t.Helper()
	d := providerDoors{settings: settings{}, signing: map[string]string{}}
	text := "providers:\n"
	for _, brand := range []string{acme, bravo} {
		for _, dialect := range provider.DialectNames() {
			variable := strings.ToUpper(brand + "_" + dialect)
			d.signing[brand+"/"+dialect] = randomSecret()
			d.settings[variable] = d.signing[brand+"/"+dialect]
			text += fmt.Sprintf("  - {provider: %s, brand: %s, dialect: %s, secrets: [%q]}\n", dialect, brand, dialect, "env:"+variable)
		}
	}
	file := filepath.Join(t.TempDir(), "providers.yaml")
	require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
	d.settings["GAMING_PROVIDERS"] = file
	return d
}

// newPlaying returns a platform with one casino and one gaming, whose doors for
// game providers are open.
func newPlaying(t *testing.T, base settings) (*platform, providerDoors) {
	t.Helper()
	p, doors := newPlatform(t, base), newProviderDoors(t)
	p.startGaming(doors.settings)
	p.startCasino(nil)
	return p, doors
}

// callback is a call of a game provider, in words of its dialect.
type callback struct{ operation, body string }

// callbacks say the same in every dialect, by what they ask for: a balance, and
// a bet, a win and a refund of 1.00 EUR.
func callbacks(dialect, user, id string) map[string]callback {
	switch dialect {
	case "standard":
		head := fmt.Sprintf(`{"user":%q,"currency":"EUR"`, user)
		return map[string]callback{
			"balance": {"balance", head + "}"},
			"bet":     {"bet", head + fmt.Sprintf(`,"transaction_id":%q,"amount":"1.00"}`, id)},
			"win":     {"win", head + fmt.Sprintf(`,"transaction_id":%q,"amount":"1.00"}`, id)},
			"refund":  {"refund", head + fmt.Sprintf(`,"bet_id":%q}`, id)},
		}
	case "process":
		head := fmt.Sprintf(`{"user_id":%q,"currency":"EUR"`, user)
		return map[string]callback{
			"balance": {"process", head + "}"},
			"bet":     {"process", head + fmt.Sprintf(`,"actions":[{"action":"bet","action_id":%q,"amount":100}]}`, id)},
			"win":     {"process", head + fmt.Sprintf(`,"actions":[{"action":"win","action_id":%q,"amount":100}]}`, id)},
			"refund":  {"process", head + fmt.Sprintf(`,"actions":[{"action":"rollback","action_id":"r","original_action_id":%q}]}`, id)},
		}
	case "softswiss":
		head := fmt.Sprintf(`{"account_id":%q,"currency":"EUR","round_id":"1"`, user)
		return map[string]callback{
			"balance": {"balance", head + "}"},
			"bet":     {"betwin", head + fmt.Sprintf(`,"transactions":[{"id_provider":%q,"type":"bet","amount":"1.00"}]}`, id)},
			"win":     {"betwin", head + fmt.Sprintf(`,"transactions":[{"id_provider":%q,"type":"win","amount":"1.00"}]}`, id)},
			"refund":  {"rollback", head + fmt.Sprintf(`,"transactions":[{"id_provider":"r","original_id_provider":%q}]}`, id)},
		}
	}
	head := fmt.Sprintf(`{"player_id":%q,"currency_code":"EUR"`, user)
	return map[string]callback{
		"balance": {"balance", head + "}"},
		"bet":     {"bet", head + fmt.Sprintf(`,"transaction_id":%q,"amount":100}`, id)},
		"win":     {"win", head + fmt.Sprintf(`,"transaction_id":%q,"amount":100}`, id)},
		"refund":  {"refund", head + fmt.Sprintf(`,"transaction_id":"r","refunded_transaction_id":%q}`, id)},
	}
}

// play sends a callback to a door, signed with a secret.
func (p *platform) play(door, secret string, c callback) answer {
	p.t.Helper()
	request, err := http.NewRequest(http.MethodPost, p.gaming.Load().URL()+"/providers/"+door+"/"+c.operation, strings.NewReader(c.body))
	require.NoError(p.t, err)
	digest := sign(secret, c.body)
	maps.Copy(request.Header, http.Header{
		"Authorization": {"HMAC-SHA256 " + digest}, "X-Signature": {digest}, "X-Request-Sign": {digest},
	})
	a, err := send(request)
	require.NoError(p.t, err)
	return a
}
