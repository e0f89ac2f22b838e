package yamlfile

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"

	"go.yaml.in/yaml/v3"
)

// TryReference is what to do about a secret that is missing.
const TryReference = "write env:NAME or file:/path, quoted where it stands in [ ]"

// Secrets say where references are looked up. The zero value takes the
// process's environment and files.
type Secrets struct {
	LookupEnv func(name string) (string, bool)  // nil means os.LookupEnv
	ReadFile  func(path string) ([]byte, error) // nil means os.ReadFile
}

// Resolve reads a reference: "env:NAME", or "file:" and an absolute path. One
// line break at the end of a file is not part of the secret.
func (s Secrets) Resolve(node *yaml.Node, key string) ([]byte, *Error) {
	reference, problem := Scalar(node, key)
	if problem != nil {
		problem.Try = TryReference
		return nil, problem
	}
	kind, name, _ := strings.Cut(reference, ":")
	switch {
	case kind == "env" && isVariable(name):
		return s.fromEnv(node, key, name)
	case kind == "file" && filepath.IsAbs(name):
		return s.fromFile(node, key, name)
	}
	problem = At(node, "%s must refer to a secret, not hold it", key)
	problem.Try = TryReference
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

func (s Secrets) fromEnv(node *yaml.Node, key, name string) ([]byte, *Error) {
	lookup := s.LookupEnv
	if lookup == nil {
		lookup = os.LookupEnv
	}
	value, _ := lookup(name)
	if strings.TrimSpace(value) == "" {
		problem := At(node, "%s refers to the variable %s, which is not set or empty", key, name)
		problem.Try = "set " + name + " in the environment of the service"
		return nil, problem
	}
	return []byte(value), nil
}

func (s Secrets) fromFile(node *yaml.Node, key, path string) ([]byte, *Error) {
	read := s.ReadFile
	if read == nil {
		read = os.ReadFile
	}
	value, err := read(path)
	if err != nil {
		problem := At(node, "%s refers to %s, which cannot be read: %s", key, path, cause(err))
		problem.Try = "correct the path, or the file's permissions"
		return nil, problem
	}
	value = bytes.TrimSuffix(bytes.TrimSuffix(value, []byte("\n")), []byte("\r"))
	if len(bytes.TrimSpace(value)) == 0 {
		return nil, At(node, "%s refers to %s, which is empty", key, path)
	}
	return value, nil
}
