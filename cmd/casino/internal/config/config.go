// Package config reads casino.yaml: who may call casino. It holds the service
// tokens of the brands' sites and the accounts at payment gateways.
//
//	service_tokens:
//	  - name: site-acme
//	    brand: acme
//	    token: env:ACME_TOKEN
//	gateways:
//	  - gateway: stripe
//	    account: acme-eu
//	    brand: acme
//	    dialect: stripe
//	    secrets: [env:STRIPE_SECRET, "file:/run/secrets/stripe-next"]
//	    tolerance: 300s
//
// The file can be kept with the code: a secret in it is a reference to an
// environment variable or to a file, never the secret itself. Whatever is
// wrong is an error before the first request is served, and names the file and
// the line; no error shows a secret, nor a text that stands where a reference
// should.
package config

import (
	"go.yaml.in/yaml/v3"

	"github.com/walletctl/walletctl/cmd/casino/internal/httpapi"
	"github.com/walletctl/walletctl/cmd/internal/yamlfile"
	"github.com/walletctl/walletctl/walletcore/gateway"
)

// Config is what casino.yaml says.
type Config struct {
	Tokens   *httpapi.Tokens
	Accounts *gateway.Accounts
}

// Options say where secrets are looked up. The zero value takes the process's
// environment and files.
type Options = yamlfile.Secrets

// LoadConfig reads the file at path. The error is an *Error.
func LoadConfig(path string, o Options) (*Config, error) {
	p := newParser(o)
	if err := yamlfile.Load(path, p.root); err != nil {
		return nil, err
	}
	return &p.config, nil
}

// ParseConfig reads the content of a file; name stands for it in errors. The
// error is an *Error.
func ParseConfig(name string, data []byte, o Options) (*Config, error) {
	p := newParser(o)
	if err := yamlfile.Parse(name, data, p.root); err != nil {
		return nil, err
	}
	return &p.config, nil
}

// parser fills a config from the nodes of a document, which know their lines.
type parser struct {
	secrets Options
	config  Config
}

func newParser(o Options) *parser {
	accounts, _ := gateway.NewAccounts()
	return &parser{secrets: o, config: Config{Tokens: &httpapi.Tokens{}, Accounts: accounts}}
}

func (p *parser) root(node *yaml.Node) *Error {
	root, err := yamlfile.Mapping(node, "the file", "service_tokens", "gateways")
	if err != nil {
		return err
	}
	if err := yamlfile.Each(root, "service_tokens", p.token); err != nil {
		return err
	}
	return yamlfile.Each(root, "gateways", p.account)
}
