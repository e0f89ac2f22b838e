package record

import (
	"bytes"
	"embed"
	"errors"
	"io"
	"os"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

//go:embed mappings/*.yaml
var ready embed.FS

// Names lists the ready mappings, sorted.
func Names() []string {
	entries, _ := ready.ReadDir("mappings") // of what is embedded
	names := make([]string, len(entries))
	for i, entry := range entries {
		names[i] = strings.TrimSuffix(entry.Name(), ".yaml")
	}
	slices.Sort(names)
	return names
}

// Named returns a ready mapping. The error is a *MappingError.
func Named(name string) (Mapping, error) {
	text, err := Text(name)
	if err != nil {
		return Mapping{}, err
	}
	return Parse(name, text)
}

// Text returns the file of a ready mapping, to be written out and changed.
func Text(name string) ([]byte, error) {
	text, err := ready.ReadFile(path.Join("mappings", name+".yaml"))
	if err != nil {
		return nil, &MappingError{Name: shown(name), Problem: "is not a ready one; there are " + strings.Join(Names(), ", ")}
	}
	return text, nil
}

// Load reads a mapping from its file. The error is a *MappingError.
func Load(path string) (Mapping, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return Mapping{}, &MappingError{Name: path, Problem: "cannot be read: " + cause(err).Error()}
	}
	return Parse(path, text)
}

// Parse reads a mapping from the text of its file; name stands for it in
// errors. Unknown keys and keys that stand twice are refused. The error is a
// *MappingError.
func Parse(name string, text []byte) (Mapping, error) {
	m := Mapping{}
	decoder := yaml.NewDecoder(bytes.NewReader(text))
	decoder.KnownFields(true)
	err := decoder.Decode(&m)
	m.Name = name
	switch {
	case errors.Is(err, io.EOF):
		return m, m.wrong("", "is empty")
	case err != nil:
		return m, m.syntax(err)
	}
	if err := decoder.Decode(&yaml.Node{}); !errors.Is(err, io.EOF) {
		return m, m.wrong("", "holds more than one document")
	}
	return m, m.Validate()
}

var (
	lineOf    = regexp.MustCompile(`line (\d+)`)
	unknownOf = regexp.MustCompile(`field (\S+) not found`)
	twiceOf   = regexp.MustCompile(`mapping key "([^"]*)" already defined`)
)

// syntax says what the YAML library found in the words of the file, not of its
// Go types.
func (m *Mapping) syntax(err error) *MappingError {
	var own *MappingError
	if errors.As(err, &own) {
		own.Name = m.Name
		return own
	}
	e := m.wrong("", "is not valid, or has a value of the wrong type")
	text := err.Error()
	if found := lineOf.FindStringSubmatch(text); found != nil {
		e.Line, _ = strconv.Atoi(found[1])
	}
	if found := unknownOf.FindStringSubmatch(text); found != nil {
		e.Key, e.Problem = shown(found[1]), "is not a known key"
	} else if found := twiceOf.FindStringSubmatch(text); found != nil {
		e.Key, e.Problem = shown(found[1]), "stands twice"
	}
	return e
}

func (m *Mapping) wrong(key, problem string) *MappingError {
	return &MappingError{Name: m.Name, Key: key, Problem: problem}
}
