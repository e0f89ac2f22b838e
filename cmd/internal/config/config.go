// Package config reads a program's settings into a struct with `env` tags.
//
// A setting comes from the first of these that has it: a flag, the
// environment, the file named by CONFIG_FILE, the default in the struct's tag.
// An empty value counts as not set. For a setting X, X_FILE may name a file
// that holds the value instead. DATABASE_URL stands for both
// GAMING_DATABASE_URL and CASINO_DATABASE_URL where the same place does not
// set them.
package config

import (
	"errors"
	"os"
	"slices"

	"github.com/caarlos0/env/v11"
)

// FileVariable names the variable that names the configuration file.
const FileVariable = "CONFIG_FILE"

// Options say where settings come from. The zero value reads the process's
// environment.
type Options struct {
	// Flags are settings given on the command line, by variable name.
	Flags map[string]string
	// Environ is the environment as "NAME=value"; nil means the process's.
	Environ []string
}

// Load reads the settings of T and, where T has a method Validate() error on
// its pointer, calls it. The error joins one *Error for each setting that is
// missing or malformed, so that all of them can be put right at once, or is a
// *FileError.
func Load[T any](opts Options) (T, error) {
	var settings T
	params, err := env.GetFieldParams(&settings)
	if err != nil {
		return settings, err
	}
	known := make([]string, len(params))
	for i, p := range params {
		known[i] = p.Key
	}
	values, err := gather(opts, known)
	if err != nil {
		return settings, err
	}
	if err := env.ParseWithOptions(&settings, env.Options{Environment: values}); err != nil {
		return settings, translate(err, settings, values)
	}
	if v, ok := any(&settings).(interface{ Validate() error }); ok {
		return settings, v.Validate()
	}
	return settings, nil
}

// gather merges the places, the strongest first.
func gather(opts Options, known []string) (map[string]string, error) {
	environ := opts.Environ
	if environ == nil {
		environ = os.Environ()
	}
	layers := []map[string]string{opts.Flags, env.ToMap(environ)}
	if path := first(layers, FileVariable); path != "" {
		file, err := readFile(path, fileNames(known))
		if err != nil {
			return nil, err
		}
		layers = append(layers, file)
	}
	values := map[string]string{}
	var problems []error
	for _, name := range known {
		value, err := find(layers, name, known)
		if err != nil {
			problems = append(problems, err)
		}
		if value != "" {
			values[name] = value
		}
	}
	return values, errors.Join(problems...)
}

// find looks for a setting place by place. Within one place the setting's own
// name comes before the names that stand for it.
func find(layers []map[string]string, name string, known []string) (string, error) {
	for _, layer := range layers {
		file := name + "_FILE"
		fromFile := layer[file] != "" && !slices.Contains(known, file)
		switch {
		case layer[name] != "" && fromFile:
			return "", &Error{Variable: name, Problem: "and " + file + " are both set", Try: "keep one of them"}
		case layer[name] != "":
			return layer[name], nil
		case fromFile:
			return readSecret(file, layer[file])
		case layer[alias(name)] != "":
			return layer[alias(name)], nil
		}
	}
	return "", nil
}

func alias(name string) string {
	switch name {
	case "GAMING_DATABASE_URL", "CASINO_DATABASE_URL":
		return "DATABASE_URL"
	}
	return ""
}

func first(layers []map[string]string, name string) string {
	for _, layer := range layers {
		if layer[name] != "" {
			return layer[name]
		}
	}
	return ""
}

// fileNames are the names that a configuration file may set.
func fileNames(known []string) []string {
	names := slices.Clone(known)
	for _, name := range known {
		names = append(names, name+"_FILE")
		if other := alias(name); other != "" {
			names = append(names, other)
		}
	}
	return names
}
