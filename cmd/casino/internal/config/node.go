package config

import (
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// section is a mapping of the file: its values by key, and where it begins.
type section struct {
	line   int
	values map[string]*yaml.Node
}

// mapping reads a node that must be a mapping with none but the known keys.
func mapping(node *yaml.Node, what string, known ...string) (section, *Error) {
	if node.Kind != yaml.MappingNode {
		return section{}, at(node, "%s must be a mapping of %s", what, strings.Join(known, ", "))
	}
	s := section{line: node.Line, values: map[string]*yaml.Node{}}
	for i := 0; i < len(node.Content); i += 2 {
		key, value := node.Content[i], node.Content[i+1]
		if !slices.Contains(known, key.Value) {
			return section{}, at(key, "%s has an unknown key; known are %s", what, strings.Join(known, ", "))
		}
		if s.values[key.Value] != nil {
			return section{}, at(key, "%s stands twice", key.Value)
		}
		s.values[key.Value] = value
	}
	return s, nil
}

// each calls do with every item of the list under key; no list is an empty
// one.
func each(s section, key string, do func(*yaml.Node) *Error) *Error {
	node := s.values[key]
	if node == nil || node.Tag == "!!null" {
		return nil
	}
	if node.Kind != yaml.SequenceNode {
		return at(node, "%s must be a list", key)
	}
	for _, item := range node.Content {
		if err := do(item); err != nil {
			return err
		}
	}
	return nil
}

// text returns the scalar under key, which must be there.
func (s section) text(key string) (string, *Error) {
	node := s.values[key]
	if node == nil {
		return "", &Error{Line: s.line, Problem: key + " is missing"}
	}
	return scalar(node, key)
}

func scalar(node *yaml.Node, key string) (string, *Error) {
	if node.Kind != yaml.ScalarNode || node.Tag == "!!null" || node.Value == "" {
		return "", at(node, "%s must be a text", key)
	}
	return node.Value, nil
}

// lineOf returns the line of a key's value, or of the section without it.
func (s section) lineOf(key string) int {
	if node := s.values[key]; node != nil {
		return node.Line
	}
	return s.line
}

func at(node *yaml.Node, format string, args ...any) *Error {
	return &Error{Line: node.Line, Problem: fmt.Sprintf(format, args...)}
}
