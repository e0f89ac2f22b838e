package strictjson

import (
	"encoding/json"
	"errors"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/walletctl/walletctl/walletcore"
)

// Text returns a string field, byte for byte, and whether it is there.
func (o Object) Text(name string) (string, bool, error) {
	switch value := o.fields[name].(type) {
	case nil:
		return "", false, nil
	case string:
		return value, true, nil
	}
	return "", false, o.Fault(name, "must be a string")
}

// ID returns an identifier of at most limit bytes: a string, or an integer
// whose digits are kept as they stand. It is empty where the field is absent;
// a present one that [walletcore.CheckID] refuses is an error.
func (o Object) ID(name string, limit int) (string, error) {
	id := ""
	switch value := o.fields[name].(type) {
	case nil:
		return "", nil
	case string:
		id = value
	case json.Number:
		if !isInteger(value.String()) {
			return "", o.Fault(name, "must be a string or an integer")
		}
		id = value.String()
	default:
		return "", o.Fault(name, "must be a string or an integer")
	}
	// Escapes of half a surrogate pair all decode to this one character:
	// different ids would become equal.
	if strings.ContainsRune(id, utf8.RuneError) {
		return "", o.Fault(name, "holds a broken character")
	}
	var bad *walletcore.FieldError
	if errors.As(walletcore.CheckID(name, id, limit), &bad) {
		return "", o.Fault(name, bad.Reason)
	}
	return id, nil
}

// Int returns an integer field and whether it is there. Fractions, exponents
// and what does not fit 64 bits are errors.
func (o Object) Int(name string) (int64, bool, error) {
	value, ok := o.fields[name]
	if !ok || value == nil {
		return 0, false, nil
	}
	number, ok := value.(json.Number)
	if !ok || !isInteger(number.String()) {
		return 0, false, o.Fault(name, "must be an integer")
	}
	n, err := strconv.ParseInt(number.String(), 10, 64)
	if err != nil {
		return 0, false, o.Fault(name, "is out of range")
	}
	return n, true, nil
}

// Object returns an object field and whether it is there.
func (o Object) Object(name string) (Object, bool, error) {
	switch value := o.fields[name].(type) {
	case nil:
		return Object{}, false, nil
	case Object:
		return value, true, nil
	}
	return Object{}, false, o.Fault(name, "must be an object")
}

// isInteger reports whether a JSON number is written with digits alone, as an
// integer of whatever size.
func isInteger(number string) bool { return !strings.ContainsAny(number, ".eE") && number != "-0" }

// Objects returns a list of objects and whether it is there.
func (o Object) Objects(name string) ([]Object, bool, error) {
	value := o.fields[name]
	if value == nil {
		return nil, false, nil
	}
	list, ok := value.([]any)
	if !ok {
		return nil, false, o.Fault(name, "must be a list of objects")
	}
	objects := make([]Object, len(list))
	for i, item := range list {
		if objects[i], ok = item.(Object); !ok {
			return nil, false, o.Fault(name, "must be a list of objects")
		}
	}
	return objects, true, nil
}
