package yamlfile

import (
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Section is a mapping of the file: its values by key, and where it begins.
type Section struct {
	Line   int
	Values map[string]*yaml.Node
}

// Mapping reads a node that must be a mapping with none but the known keys.
func Mapping(node *yaml.Node, what string, known ...string) (Section, *Error) {
	if node.Kind != yaml.MappingNode {
		return Section{}, At(node, "%s must be a mapping of %s", what, strings.Join(known, ", "))
	}
	s := Section{Line: node.Line, Values: map[string]*yaml.Node{}}
	for i := 0; i < len(node.Content); i += 2 {
		key, value := node.Content[i], node.Content[i+1]
		if !slices.Contains(known, key.Value) {
			return Section{}, At(key, "%s has an unknown key; known are %s", what, strings.Join(known, ", "))
		}
		if s.Values[key.Value] != nil {
			return Section{}, At(key, "%s stands twice", key.Value)
		}
		s.Values[key.Value] = value
	}
	return s, nil
}

// Each calls do with every item of the list under key; no list is an empty
// one.
func Each(s Section, key string, do func(*yaml.Node) *Error) *Error {
	node := s.Values[key]
	if node == nil || node.Tag == "!!null" {
		return nil
	}
	if node.Kind != yaml.SequenceNode {
		return At(node, "%s must be a list", key)
	}
	for _, item := range node.Content {
		if err := do(item); err != nil {
			return err
		}
	}
	return nil
}

// Text returns the scalar under key, which must be there.
func (s Section) Text(key string) (string, *Error) {
	node := s.Values[key]
	if node == nil {
		return "", &Error{Line: s.Line, Problem: key + " is missing"}
	}
	return Scalar(node, key)
}

// Scalar returns the text of a node that must be one.
func Scalar(node *yaml.Node, key string) (string, *Error) {
	if node.Kind != yaml.ScalarNode || node.Tag == "!!null" || node.Value == "" {
		return "", At(node, "%s must be a text", key)
	}
	return node.Value, nil
}

// LineOf returns the line of a key's value, or of the section without it.
func (s Section) LineOf(key string) int {
	if node := s.Values[key]; node != nil {
		return node.Line
	}
	return s.Line
}

// At is an error at a node.
func At(node *yaml.Node, format string, args ...any) *Error {
	return &Error{Line: node.Line, Problem: fmt.Sprintf(format, args...)}
}

// Pairs calls do with every key and value of a mapping whose keys are free; no
// node is an empty one.
func Pairs(node *yaml.Node, what string, do func(key, value *yaml.Node) *Error) *Error {
	if node == nil || node.Tag == "!!null" {
		return nil
	}
	if node.Kind != yaml.MappingNode {
		return At(node, "%s must be a mapping", what)
	}
	seen := map[string]bool{}
	for i := 0; i < len(node.Content); i += 2 {
		key, value := node.Content[i], node.Content[i+1]
		if seen[key.Value] {
			return At(key, "%s stands twice", key.Value)
		}
		seen[key.Value] = true
		if err := do(key, value); err != nil {
			return err
		}
	}
	return nil
}
