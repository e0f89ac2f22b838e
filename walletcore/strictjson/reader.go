package strictjson

import "encoding/json"

// reader builds values from tokens: Object, []any, string, json.Number, bool
// and nil.
type reader struct {
	dec *json.Decoder
}

func (r reader) value(path string, depth int) (any, error) {
	token, err := r.dec.Token()
	if err != nil {
		return nil, fault("body", "is not valid JSON")
	}
	delim, ok := token.(json.Delim)
	switch {
	case !ok:
		return token, nil
	case depth == maxDepth:
		return nil, fault("body", "nests too deep")
	case delim == '{':
		return r.object(path, depth)
	}
	return r.list(path, depth)
}

func (r reader) object(path string, depth int) (any, error) {
	object := Object{path: path, fields: map[string]any{}}
	for r.dec.More() {
		token, err := r.dec.Token()
		name, ok := token.(string)
		if err != nil || !ok {
			return nil, fault("body", "is not valid JSON")
		}
		if _, twice := object.fields[name]; twice {
			return nil, fault(join(path, printable(name)), "stands twice")
		}
		if object.fields[name], err = r.value(join(path, printable(name)), depth+1); err != nil {
			return nil, err
		}
	}
	return object, r.end()
}

func (r reader) list(path string, depth int) (any, error) {
	list := []any{}
	for r.dec.More() {
		value, err := r.value(path+"[]", depth+1)
		if err != nil {
			return nil, err
		}
		list = append(list, value)
	}
	return list, r.end()
}

// end reads the closing bracket.
func (r reader) end() error {
	if _, err := r.dec.Token(); err != nil {
		return fault("body", "is not valid JSON")
	}
	return nil
}
