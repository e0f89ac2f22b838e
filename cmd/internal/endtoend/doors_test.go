package endtoend_test

import (
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// hexKeys finds the keys in a file of ledger keys.
var hexKeys = regexp.MustCompile(`[0-9a-f]{64}`)

// The brands. Each has a site and an account at both gateways.
const (
	acme  = "acme"
	bravo = "bravo"
)

// doors is who may call casino: its configuration file, with a site and two
// gateway accounts for each brand.
type doors struct {
	file        string
	environment settings          // the secrets that the file refers to by variable
	tokens      map[string]string // by brand
	signing     map[string]string // the secret by gateway/account
}

// newDoors refers to half of the secrets by variable and to half by file.
func newDoors(t *testing.T) doors {
	t.Helper()
	folder := t.TempDir()
	d := doors{
		file: filepath.Join(folder, "casino.yaml"), environment: settings{},
		tokens: map[string]string{}, signing: map[string]string{},
	}
	var sites, accounts strings.Builder
	for _, brand := range []string{acme, bravo} {
		d.tokens[brand] = randomSecret()
		fmt.Fprintf(&sites, "  - {name: site-%s, brand: %s, token: %s}\n", brand, brand,
			d.byVariable(brand+"_TOKEN", d.tokens[brand]))
		for _, gateway := range []string{"pix", "stripe"} {
			dialect := map[string]string{"pix": "generic", "stripe": "stripe"}[gateway]
			name := gateway + "/" + brand + "-main"
			d.signing[name] = randomSecret()
			secret := filepath.Join(folder, gateway+"-"+brand)
			require.NoError(t, os.WriteFile(secret, []byte(d.signing[name]+"\n"), 0o600))
			fmt.Fprintf(&accounts, "  - {gateway: %s, account: %s-main, brand: %s, dialect: %s, secrets: [\"file:%s\"]}\n",
				gateway, brand, brand, dialect, secret)
		}
	}
	text := "service_tokens:\n" + sites.String() + "gateways:\n" + accounts.String()
	require.NoError(t, os.WriteFile(d.file, []byte(text), 0o600))
	return d
}

func (d *doors) byVariable(name, secret string) string {
	name = strings.ToUpper(name)
	d.environment[name] = secret
	return "env:" + name
}

func (d *doors) secrets() []string {
	var all []string
	for _, token := range d.tokens {
		all = append(all, token)
	}
	for _, secret := range d.signing {
		all = append(all, secret)
	}
	return all
}

func randomSecret() string {
	secret := make([]byte, 16)
	_, _ = rand.Read(secret)
	return hex.EncodeToString(secret)
}
