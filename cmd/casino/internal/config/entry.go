package config

import (
	"errors"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/walletctl/walletctl/walletcore"
	"github.com/walletctl/walletctl/walletcore/gateway"
)

// token adds one entry of service_tokens.
func (p *parser) token(node *yaml.Node) *Error {
	s, err := mapping(node, "a service token", "name", "brand", "token")
	if err != nil {
		return err
	}
	var name, brand string
	if err := s.texts(map[string]*string{"name": &name, "brand": &brand}); err != nil {
		return err
	}
	if s.values["token"] == nil {
		return &Error{Line: s.line, Problem: "token is missing", Try: tryReference}
	}
	secret, err := p.secret(s.values["token"], "token")
	if err != nil {
		return err
	}
	var field *walletcore.FieldError
	if errors.As(p.config.Tokens.Add(name, brand, secret), &field) {
		return &Error{Line: s.lineOf(field.Field), Problem: "service token " + name + ": " + field.Error()}
	}
	return nil
}

// account adds one entry of gateways.
func (p *parser) account(node *yaml.Node) *Error {
	s, err := mapping(node, "a gateway", "gateway", "account", "brand", "dialect", "secrets", "tolerance")
	if err != nil {
		return err
	}
	var o gateway.AccountOptions
	err = s.texts(map[string]*string{"gateway": &o.Gateway, "account": &o.Name, "brand": &o.Brand, "dialect": &o.Dialect})
	if err != nil {
		return err
	}
	err = each(s, "secrets", func(item *yaml.Node) *Error {
		secret, err := p.secret(item, "a secret")
		o.Secrets = append(o.Secrets, secret)
		return err
	})
	if err != nil {
		return err
	}
	if o.Tolerance, err = s.duration("tolerance"); err != nil {
		return err
	}
	return p.addAccount(s, o)
}

func (p *parser) addAccount(s section, o gateway.AccountOptions) *Error {
	account, err := gateway.NewAccount(o)
	if err == nil {
		err = p.config.Accounts.Add(account)
	}
	var problem *gateway.AccountError
	if errors.As(err, &problem) {
		return &Error{Line: s.lineOf(problem.Field), Problem: problem.Error()}
	}
	return nil
}

// texts reads keys that must be there, the first missing one by name first.
func (s section) texts(into map[string]*string) *Error {
	for _, key := range []string{"name", "gateway", "account", "brand", "dialect"} {
		target, wanted := into[key]
		if !wanted {
			continue
		}
		var err *Error
		if *target, err = s.text(key); err != nil {
			return err
		}
	}
	return nil
}

// duration reads a duration such as 300s; 0 means that there is none.
func (s section) duration(key string) (time.Duration, *Error) {
	node := s.values[key]
	if node == nil {
		return 0, nil
	}
	text, problem := scalar(node, key)
	if problem != nil {
		return 0, problem
	}
	d, err := time.ParseDuration(text)
	if err != nil || d <= 0 {
		return 0, at(node, "%s must be a duration above zero, such as 300s", key)
	}
	return d, nil
}
