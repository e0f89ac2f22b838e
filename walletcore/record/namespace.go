package record

import (
	"strings"
)

// part is a piece of a namespace: a text, or the value of a column.
type part struct {
	text   string
	column cell
}

// parts splits a namespace such as {provider}: into its pieces.
func parts(namespace string, place func(string) cell) []part {
	var list []part
	for namespace != "" {
		text, rest, found := strings.Cut(namespace, "{")
		if text != "" {
			list = append(list, part{text: text, column: noCell})
		}
		if !found {
			break
		}
		name, after, _ := strings.Cut(rest, "}")
		list = append(list, part{column: place(name)})
		namespace = after
	}
	return list
}

// references lists the columns in a namespace.
func references(namespace string) []string {
	var names []string
	for {
		_, rest, found := strings.Cut(namespace, "{")
		if !found {
			return names
		}
		name, after, _ := strings.Cut(rest, "}")
		names = append(names, name)
		namespace = after
	}
}

// checkNamespace says what is wrong with a namespace, or nothing.
func checkNamespace(namespace string) string {
	rest := namespace
	for rest != "" {
		text, behind, found := strings.Cut(rest, "{")
		if strings.Contains(text, "}") {
			return "has a closing brace without an opening one"
		}
		if !found {
			break
		}
		name, after, closed := strings.Cut(behind, "}")
		if !closed || name == "" {
			return "must have a column between its braces"
		}
		rest = after
	}
	return ""
}
