package config

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
)

const maxFile = 1 << 20

// readFile reads NAME=value lines. Blank lines and lines that begin with # are
// skipped, quotes around a value are taken off, nothing is expanded. A name
// that the program does not know is an error: it is a misspelt one.
func readFile(path string, known []string) (map[string]string, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, &FileError{Path: path, Problem: "cannot be read: " + reason(err), Try: "correct CONFIG_FILE, or the file's permissions"}
	}
	defer f.Close()
	values := map[string]string{}
	lines := bufio.NewScanner(io.LimitReader(f, maxFile))
	for n := 1; lines.Scan(); n++ {
		line := strings.TrimSpace(strings.TrimPrefix(lines.Text(), "\ufeff"))
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		name, value, problem := parseLine(line)
		if problem == "" && !slices.Contains(known, name) {
			problem = fmt.Sprintf("sets %s, which is not a setting of this program", name)
		}
		if _, twice := values[name]; problem == "" && twice {
			problem = fmt.Sprintf("sets %s a second time", name)
		}
		if problem != "" {
			return nil, &FileError{Path: path, Line: n, Problem: problem, Try: "correct or remove the line"}
		}
		values[name] = value
	}
	if err := lines.Err(); err != nil {
		return nil, &FileError{Path: path, Problem: "cannot be read: " + reason(err), Try: "write one NAME=value a line"}
	}
	return values, nil
}

// parseLine never quotes the line in its problem: it may hold a secret.
func parseLine(line string) (name, value, problem string) {
	name, value, ok := strings.Cut(strings.TrimPrefix(line, "export "), "=")
	name, value = strings.TrimSpace(name), strings.TrimSpace(value)
	if !ok || name == "" || strings.ContainsAny(name, " \t'\"") {
		return "", "", "is not of the form NAME=value"
	}
	if quote := value; len(quote) > 0 && (quote[0] == '\'' || quote[0] == '"') {
		if len(value) < 2 || value[len(value)-1] != value[0] {
			return "", "", "has a quote that is not closed"
		}
		value = value[1 : len(value)-1]
	}
	return name, value, ""
}

// readSecret reads a value from a file of its own, as container platforms hand
// out secrets. One line break at its end is not part of the value.
func readSecret(variable, path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", &Error{Variable: variable, Problem: "names a file that cannot be read: " + reason(err), Try: "correct the path or the file's permissions"}
	}
	defer f.Close()
	content, err := io.ReadAll(io.LimitReader(f, maxFile))
	if err != nil {
		return "", &Error{Variable: variable, Problem: "names a file that cannot be read: " + reason(err), Try: "name a file, not a directory"}
	}
	value := strings.TrimSuffix(strings.TrimSuffix(string(content), "\n"), "\r")
	if value == "" {
		return "", &Error{Variable: variable, Problem: "names an empty file", Try: "write the value into it"}
	}
	return value, nil
}

// reason is the cause of a file error without the path, which the caller says.
func reason(err error) string {
	if pathErr, ok := err.(*os.PathError); ok {
		return pathErr.Err.Error()
	}
	return err.Error()
}
