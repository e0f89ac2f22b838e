package config

import (
	"errors"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/walletctl/walletctl/cmd/internal/yamlfile"
	"github.com/walletctl/walletctl/walletcore"
	"github.com/walletctl/walletctl/walletcore/gateway"
)

// token adds one entry of service_tokens.
func (p *parser) token(node *yaml.Node) *Error {
	s, err := yamlfile.Mapping(node, "a service token", "name", "brand", "token")
	if err != nil {
		return err
	}
	var name, brand string
	if err := texts(s, map[string]*string{"name": &name, "brand": &brand}); err != nil {
		return err
	}
	if s.Values["token"] == nil {
		return &Error{Line: s.Line, Problem: "token is missing", Try: yamlfile.TryReference}
	}
	secret, err := p.secrets.Resolve(s.Values["token"], "token")
	if err != nil {
		return err
	}
	var field *walletcore.FieldError
	if errors.As(p.config.Tokens.Add(name, brand, secret), &field) {
		return &Error{Line: s.LineOf(field.Field), Problem: "service token " + name + ": " + field.Error()}
	}
	return nil
}

// account adds one entry of gateways.
func (p *parser) account(node *yaml.Node) *Error {
	s, err := yamlfile.Mapping(node, "a gateway", "gateway", "account", "brand", "dialect", "secrets", "tolerance")
	if err != nil {
		return err
	}
	var o gateway.AccountOptions
	err = texts(s, map[string]*string{"gateway": &o.Gateway, "account": &o.Name, "brand": &o.Brand, "dialect": &o.Dialect})
	if err != nil {
		return err
	}
	err = yamlfile.Each(s, "secrets", func(item *yaml.Node) *Error {
		secret, err := p.secrets.Resolve(item, "a secret")
		o.Secrets = append(o.Secrets, secret)
		return err
	})
	if err != nil {
		return err
	}
	if o.Tolerance, err = duration(s, "tolerance"); err != nil {
		return err
	}
	return p.addAccount(s, o)
}

func (p *parser) addAccount(s yamlfile.Section, o gateway.AccountOptions) *Error {
	account, err := gateway.NewAccount(o)
	if err == nil {
		err = p.config.Accounts.Add(account)
	}
	var problem *gateway.AccountError
	if errors.As(err, &problem) {
		return &Error{Line: s.LineOf(problem.Field), Problem: problem.Error()}
	}
	return nil
}

// texts reads keys that must be there, the first missing one by name first.
func texts(s yamlfile.Section, into map[string]*string) *Error {
	for _, key := range []string{"name", "gateway", "account", "brand", "dialect"} {
		target, wanted := into[key]
		if !wanted {
			continue
		}
		var err *Error
		if *target, err = s.Text(key); err != nil {
			return err
		}
	}
	return nil
}

// duration reads a duration such as 300s; 0 means that there is none.
func duration(s yamlfile.Section, key string) (time.Duration, *Error) {
	node := s.Values[key]
	if node == nil {
		return 0, nil
	}
	text, problem := yamlfile.Scalar(node, key)
	if problem != nil {
		return 0, problem
	}
	d, err := time.ParseDuration(text)
	if err != nil || d <= 0 {
		return 0, yamlfile.At(node, "%s must be a duration above zero, such as 300s", key)
	}
	return d, nil
}
