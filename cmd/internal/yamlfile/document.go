package yamlfile

import (
	"bytes"
	"errors"
	"io"
	"os"

	"go.yaml.in/yaml/v3"
)

// Load reads the file at path and gives its root to read. The error is an
// *Error with the file's name.
func Load(path string, read func(root *yaml.Node) *Error) error {
	data, err := os.ReadFile(path)
	if err != nil {
		return &Error{File: path, Problem: "cannot be read: " + cause(err), Try: "name a file that the service may read"}
	}
	return Parse(path, data, read)
}

// Parse is Load for a file's content; name stands for it in errors.
func Parse(name string, data []byte, read func(root *yaml.Node) *Error) error {
	root, problem := document(data)
	if problem == nil {
		problem = read(root)
	}
	if problem != nil {
		problem.File = name
		return problem
	}
	return nil
}

func document(data []byte) (*yaml.Node, *Error) {
	decoder := yaml.NewDecoder(bytes.NewReader(data))
	var document, next yaml.Node
	err := decoder.Decode(&document)
	switch {
	case errors.Is(err, io.EOF):
		return nil, &Error{Problem: "is empty", Try: "look at the example in the documentation"}
	case err != nil:
		return nil, syntaxError(err)
	}
	if err := decoder.Decode(&next); !errors.Is(err, io.EOF) {
		return nil, &Error{Problem: "holds more than one document", Try: "take out the line ---"}
	}
	return document.Content[0], nil
}
