package config

import (
	"bytes"
	"path/filepath"
	"strings"

	"go.yaml.in/yaml/v3"
)

const tryReference = "write env:NAME or file:/path, quoted where it stands in [ ]"

// secret resolves a reference: "env:NAME", or "file:" and an absolute path. One
// line break at the end of a file is not part of the secret.
func (p *parser) secret(node *yaml.Node, key string) ([]byte, *Error) {
	reference, problem := scalar(node, key)
	if problem != nil {
		problem.Try = tryReference
		return nil, problem
	}
	kind, name, _ := strings.Cut(reference, ":")
	switch {
	case kind == "env" && isVariable(name):
		return p.fromEnv(node, key, name)
	case kind == "file" && filepath.IsAbs(name):
		return p.fromFile(node, key, name)
	}
	problem = at(node, "%s must refer to a secret, not hold it", key)
	problem.Try = tryReference
	return nil, problem
}

// isVariable also keeps a secret that somebody wrote behind "env:" out of the
// error about a variable that is not set, unless it looks like a name.
func isVariable(name string) bool {
	for i := range len(name) {
		c := name[i]
		if (c < 'A' || c > 'Z') && c != '_' && (i == 0 || c < '0' || c > '9') {
			return false
		}
	}
	return name != ""
}

func (p *parser) fromEnv(node *yaml.Node, key, name string) ([]byte, *Error) {
	value, _ := p.o.LookupEnv(name)
	if strings.TrimSpace(value) == "" {
		problem := at(node, "%s refers to the variable %s, which is not set or empty", key, name)
		problem.Try = "set " + name + " in the environment of the service"
		return nil, problem
	}
	return []byte(value), nil
}

func (p *parser) fromFile(node *yaml.Node, key, path string) ([]byte, *Error) {
	value, err := p.o.ReadFile(path)
	if err != nil {
		problem := at(node, "%s refers to %s, which cannot be read: %s", key, path, cause(err))
		problem.Try = "correct the path, or the file's permissions"
		return nil, problem
	}
	value = bytes.TrimSuffix(bytes.TrimSuffix(value, []byte("\n")), []byte("\r"))
	if len(bytes.TrimSpace(value)) == 0 {
		return nil, at(node, "%s refers to %s, which is empty", key, path)
	}
	return value, nil
}
