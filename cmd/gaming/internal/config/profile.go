package config

import (
	"strconv"

	"go.yaml.in/yaml/v3"

	"github.com/walletctl/walletctl/cmd/internal/yamlfile"
	"github.com/walletctl/walletctl/walletcore/provider"
	"github.com/walletctl/walletctl/walletcore/signature"
)

// options reads the parts of one entry of providers, the first error first.
func (p *parser) options(s yamlfile.Section) (o provider.ProfileOptions, err *Error) {
	for _, read := range []func() *Error{
		func() *Error { return texts(s, &o) },
		func() *Error { return p.readSecrets(s, &o) },
		func() *Error { return readSignature(s.Values["signature"], &o) },
		func() *Error { return readUnits(s.Values["units"], &o) },
		func() *Error { return readPolicy(s.Values["policy"], &o) },
		func() *Error { return readCodes(s.Values["codes"], &o) },
		func() *Error { return readUnkeyed(s.Values["unkeyed"], &o) },
	} {
		if err := read(); err != nil {
			return o, err
		}
	}
	return o, nil
}

func texts(s yamlfile.Section, o *provider.ProfileOptions) (err *Error) {
	for _, field := range []struct {
		key      string
		into     *string
		optional bool
	}{
		{"provider", &o.Provider, false},
		{"brand", &o.Brand, false},
		{"dialect", &o.Dialect, false},
		{"namespace", &o.Namespace, true},
	} {
		if field.optional && s.Values[field.key] == nil {
			continue
		}
		if *field.into, err = s.Text(field.key); err != nil {
			return err
		}
	}
	return nil
}

func (p *parser) readSecrets(s yamlfile.Section, o *provider.ProfileOptions) *Error {
	return yamlfile.Each(s, "secrets", func(item *yaml.Node) *Error {
		secret, err := p.secrets.Resolve(item, "a secret")
		o.Secrets = append(o.Secrets, secret)
		return err
	})
}

// readSignature reads a form whole: a part that is left out is not the
// dialect's. The prefix may be empty, and then the digest stands alone.
func readSignature(node *yaml.Node, o *provider.ProfileOptions) *Error {
	if node == nil {
		return nil
	}
	s, err := yamlfile.Mapping(node, "a signature", "header", "encoding", "prefix")
	if err != nil {
		return err
	}
	form := &signature.Form{}
	if form.Header, err = s.Text("header"); err != nil {
		return err
	}
	encoding, err := s.Text("encoding")
	if err != nil {
		return err
	}
	form.Encoding = signature.Encoding(encoding)
	if s.Values["prefix"] != nil {
		if form.Prefix, err = s.Text("prefix"); err != nil {
			return err
		}
	}
	o.Signature = form
	return nil
}

func readUnits(node *yaml.Node, o *provider.ProfileOptions) *Error {
	o.Units = map[string]int{}
	return yamlfile.Pairs(node, "units", func(key, value *yaml.Node) *Error {
		places, err := integer(value, "a unit")
		o.Units[key.Value] = places
		return err
	})
}

func readPolicy(node *yaml.Node, o *provider.ProfileOptions) *Error {
	return yamlfile.Pairs(node, "policy", func(key, value *yaml.Node) *Error {
		choice, err := yamlfile.Scalar(value, key.Value)
		if err != nil {
			return err
		}
		if err := o.Policy.Set(key.Value, choice); err != nil {
			return yamlfile.At(value, "%s of a policy %s", key.Value, err)
		}
		return nil
	})
}

func readCodes(node *yaml.Node, o *provider.ProfileOptions) *Error {
	if node == nil {
		return nil
	}
	s, err := yamlfile.Mapping(node, "codes", provider.ReasonNames()...)
	if err != nil {
		return err
	}
	o.Codes = map[provider.Reason]provider.Code{}
	for reason, value := range s.Values {
		code, err := readCode(value)
		if err != nil {
			return err
		}
		o.Codes[provider.Reason(reason)] = code
	}
	return nil
}

func readCode(node *yaml.Node) (code provider.Code, err *Error) {
	s, err := yamlfile.Mapping(node, "a code", "status", "code")
	if err != nil {
		return code, err
	}
	if s.Values["status"] == nil {
		return code, &Error{Line: s.Line, Problem: "status is missing"}
	}
	if code.Status, err = integer(s.Values["status"], "status"); err != nil {
		return code, err
	}
	code.Code, err = s.Text("code")
	return code, err
}

func integer(node *yaml.Node, key string) (int, *Error) {
	text, err := yamlfile.Scalar(node, key)
	if err != nil {
		return 0, err
	}
	n, problem := strconv.Atoi(text)
	if problem != nil {
		return 0, yamlfile.At(node, "%s must be an integer", key)
	}
	return n, nil
}
