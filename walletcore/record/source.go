package record

import (
	"io"
	"os"
	"path/filepath"
)

// Source is where rows come from.
type Source struct {
	name   string
	stream io.Reader // nil for a path
}

// Path is a file, or a directory: its files whose names match the mapping's
// pattern, in the order of their names, not those of its folders.
func Path(path string) Source { return Source{name: path} }

// Stream is a reader that is read once, such as standard input; name stands for
// it in positions and errors. It is not closed.
func Stream(name string, r io.Reader) Source { return Source{name: name, stream: r} }

// input is one file to read.
type input struct {
	name   string
	size   int64 // of the stored bytes; -1 where it is not known
	stream io.Reader
}

func (i input) open() (io.ReadCloser, error) {
	if i.stream != nil {
		return io.NopCloser(i.stream), nil
	}
	file, err := os.Open(i.name)
	if err != nil {
		return nil, &FileError{File: i.name, Err: cause(err)}
	}
	return file, nil
}

// inputs lists the files of a source, without reading them.
func (s Source) inputs(pattern string) ([]input, error) {
	if s.stream != nil {
		return []input{{name: s.name, size: -1, stream: s.stream}}, nil
	}
	info, err := os.Stat(s.name)
	switch {
	case err != nil:
		return nil, &FileError{File: s.name, Err: cause(err)}
	case info.IsDir():
		return s.files(pattern)
	case !info.Mode().IsRegular(): // a pipe: its size says nothing, and it can be opened once
		return s.pipe()
	}
	return []input{{name: s.name, size: info.Size()}}, nil
}

func (s Source) pipe() ([]input, error) {
	file, err := os.Open(s.name)
	if err != nil {
		return nil, &FileError{File: s.name, Err: cause(err)}
	}
	return []input{{name: s.name, size: -1, stream: file}}, nil
}

// files lists a directory. os.ReadDir sorts by name.
func (s Source) files(pattern string) ([]input, error) {
	if pattern == "" {
		return nil, &FileError{File: s.name, Err: ErrNoGlob}
	}
	entries, err := os.ReadDir(s.name)
	if err != nil {
		return nil, &FileError{File: s.name, Err: cause(err)}
	}
	var list []input
	for _, entry := range entries {
		path := filepath.Join(s.name, entry.Name())
		if match, _ := filepath.Match(pattern, entry.Name()); !match {
			continue
		}
		info, err := os.Stat(path)
		if err != nil {
			return nil, &FileError{File: path, Err: cause(err)}
		}
		if !info.IsDir() {
			list = append(list, input{name: path, size: info.Size()})
		}
	}
	if len(list) == 0 {
		return nil, &FileError{File: s.name, Err: ErrNoFiles}
	}
	return list, nil
}
