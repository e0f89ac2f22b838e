// Package config reads providers.yaml: which game providers may play with
// which brand's wallets, and how each of them talks.
//
//	brands:
//	  - {brand: acme, split: bonus_first}
//	providers:
//	  - provider: games
//	    brand: acme
//	    dialect: process
//	    secrets: [env:ACME_GAMES_SECRET, "file:/run/secrets/acme-games-next"]
//	    namespace: games
//	    units: {EUR: 2, DOGE: 3}
//	    policy: {duplicate_balance: first, late_bet: accepted}
//	    codes:
//	      insufficient_funds: {status: 412, code: 100}
//	  - provider: more
//	    brand: acme
//	    dialect: standard
//	    secrets: [env:ACME_MORE_SECRET]
//	    signature: {header: X-Sign, encoding: base64}
//	    unkeyed: {until: 2027-03-01T00:00:00Z, message_id_header: X-Request-Id}
//
// What may stand where is told at provider.ProfileOptions; what is left out is
// the dialect's default. See package yamlfile for secrets and errors.
package config

import (
	"errors"

	"go.yaml.in/yaml/v3"

	"github.com/walletctl/walletctl/cmd/internal/yamlfile"
	"github.com/walletctl/walletctl/walletcore"
	"github.com/walletctl/walletctl/walletcore/provider"
)

// Config is what providers.yaml says.
type Config struct {
	Profiles *provider.Profiles
	// Splits are the brands' own; a brand without one has the default.
	Splits map[string]walletcore.SplitPolicy
}

// Options say where secrets are looked up. The zero value takes the process's
// environment and files.
type Options = yamlfile.Secrets

// Error says what is wrong with providers.yaml, and where.
type Error = yamlfile.Error

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
	profiles, _ := provider.NewProfiles()
	return &parser{secrets: o, config: Config{Profiles: profiles, Splits: map[string]walletcore.SplitPolicy{}}}
}

func (p *parser) root(node *yaml.Node) *Error {
	root, err := yamlfile.Mapping(node, "the file", "brands", "providers")
	if err != nil {
		return err
	}
	if err := yamlfile.Each(root, "brands", p.brand); err != nil {
		return err
	}
	return yamlfile.Each(root, "providers", p.profile)
}

// brand adds one entry of brands.
func (p *parser) brand(node *yaml.Node) *Error {
	s, err := yamlfile.Mapping(node, "a brand", "brand", "split")
	if err != nil {
		return err
	}
	brand, err := s.Text("brand")
	if err != nil {
		return err
	}
	text, err := s.Text("split")
	if err != nil {
		return err
	}
	split := walletcore.SplitPolicy(text)
	if err := split.Validate(); err != nil {
		return &Error{Line: s.LineOf("split"), Problem: "brand " + brand + ": " + err.Error()}
	}
	if _, twice := p.config.Splits[brand]; twice {
		return &Error{Line: s.LineOf("brand"), Problem: "brand " + brand + " stands twice"}
	}
	p.config.Splits[brand] = split
	return nil
}

// profile adds one entry of providers.
func (p *parser) profile(node *yaml.Node) *Error {
	s, err := yamlfile.Mapping(node, "a provider",
		"provider", "brand", "dialect", "secrets", "namespace", "signature", "units", "policy", "codes", "unkeyed")
	if err != nil {
		return err
	}
	o, err := p.options(s)
	if err != nil {
		return err
	}
	return p.add(s, o)
}

func (p *parser) add(s yamlfile.Section, o provider.ProfileOptions) *Error {
	profile, err := provider.NewProfile(o)
	if err == nil {
		err = p.config.Profiles.Add(profile)
	}
	var problem *provider.ProfileError
	if errors.As(err, &problem) {
		return &Error{Line: s.LineOf(problem.Field), Problem: problem.Error()}
	}
	return nil
}
