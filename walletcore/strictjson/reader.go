package strictjson

import "encoding/json"

// reader builds values from tokens: Object, []any, string, json.Number, bool
// and nil.
type reader struct {
	dec *json.Decoder
}

// value reads the next value, which stands at a place.
func (r reader) value(at *place, depth int) (any, error) {
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
		return r.object(at, depth)
	}
	return r.list(at, depth)
}

func (r reader) object(at *place, depth int) (any, error) {
	object := Object{at: at, fields: map[string]any{}}
	for r.dec.More() {
		token, err := r.dec.Token()
		name, ok := token.(string)
		if err != nil || !ok {
			return nil, fault("body", "is not valid JSON")
		}
		if _, twice := object.fields[name]; twice {
			return nil, fault(at.field(printable(name)), "stands twice")
		}
		if object.fields[name], err = r.value(&place{in: at, name: name}, depth+1); err != nil {
			return nil, err
		}
	}
	return object, r.end()
}

func (r reader) list(at *place, depth int) (any, error) {
	list, item := []any{}, &place{in: at, item: true}
	for r.dec.More() {
		value, err := r.value(item, depth+1)
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
