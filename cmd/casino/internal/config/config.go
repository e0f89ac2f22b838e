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
	"bytes"
	"errors"
	"io"
	"os"

	"go.yaml.in/yaml/v3"

	"github.com/walletctl/walletctl/cmd/casino/internal/httpapi"
	"github.com/walletctl/walletctl/walletcore/gateway"
)

// Config is what casino.yaml says.
type Config struct {
	Tokens   *httpapi.Tokens
	Accounts *gateway.Accounts
}

// Options say where secrets are looked up. The zero value takes the process's
// environment and files.
type Options struct {
	LookupEnv func(name string) (string, bool)  // nil means os.LookupEnv
	ReadFile  func(path string) ([]byte, error) // nil means os.ReadFile
}

// LoadConfig reads the file at path. The error is an *Error.
func LoadConfig(path string, o Options) (*Config, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, &Error{File: path, Problem: "cannot be read: " + cause(err), Try: "name a file that the service may read"}
	}
	return ParseConfig(path, data, o)
}

// ParseConfig reads the content of a file; name stands for it in errors. The
// error is an *Error.
func ParseConfig(name string, data []byte, o Options) (*Config, error) {
	if o.LookupEnv == nil {
		o.LookupEnv = os.LookupEnv
	}
	if o.ReadFile == nil {
		o.ReadFile = os.ReadFile
	}
	accounts, _ := gateway.NewAccounts()
	p := parser{o: o, config: Config{Tokens: &httpapi.Tokens{}, Accounts: accounts}}
	if err := p.document(data); err != nil {
		err.File = name
		return nil, err
	}
	return &p.config, nil
}

// parser fills a config from the nodes of a document, which know their lines.
type parser struct {
	o      Options
	config Config
}

func (p *parser) document(data []byte) *Error {
	decoder := yaml.NewDecoder(bytes.NewReader(data))
	var document, next yaml.Node
	err := decoder.Decode(&document)
	switch {
	case errors.Is(err, io.EOF):
		return &Error{Problem: "is empty", Try: "give it service_tokens and gateways"}
	case err != nil:
		return syntaxError(err)
	}
	if err := decoder.Decode(&next); !errors.Is(err, io.EOF) {
		return &Error{Problem: "holds more than one document", Try: "take out the line ---"}
	}
	return p.root(document.Content[0])
}

func (p *parser) root(node *yaml.Node) *Error {
	root, err := mapping(node, "the file", "service_tokens", "gateways")
	if err != nil {
		return err
	}
	if err := each(root, "service_tokens", p.token); err != nil {
		return err
	}
	return each(root, "gateways", p.account)
}
