package strictjson

import (
	"bytes"
	"encoding/json"
	"slices"
	"unicode/utf8"

	"github.com/walletctl/walletctl/walletcore"
)

// maxDepth bounds how deep objects and lists may nest. No message of a
// payment or of a player's action comes near it.
const maxDepth = 64

// Object is a JSON object and where it stands in its document.
type Object struct {
	at     *place
	fields map[string]any
}

// Parse reads a document that is one object. The error is a
// *walletcore.FieldError; it never quotes what was read.
func Parse(data []byte) (Object, error) {
	if !utf8.Valid(data) {
		return Object{}, fault("body", "is not valid UTF-8")
	}
	// The token reader below is more lenient than the grammar.
	if !json.Valid(data) {
		return Object{}, fault("body", "is not valid JSON")
	}
	r := reader{dec: json.NewDecoder(bytes.NewReader(data))}
	r.dec.UseNumber()
	value, err := r.value(nil, 0)
	if err != nil {
		return Object{}, err
	}
	object, ok := value.(Object)
	if !ok {
		return Object{}, fault("body", "is not a JSON object")
	}
	return object, nil
}

// Only refuses an object that holds a field which is not among names.
func (o Object) Only(names ...string) error {
	unknown, found := "", false
	for name := range o.fields {
		if !slices.Contains(names, name) && (!found || name < unknown) {
			unknown, found = name, true
		}
	}
	if !found {
		return nil
	}
	return fault(o.at.field(printable(unknown)), "is not a field of this request")
}

// Has reports whether the object holds the field with a value that is not
// null.
func (o Object) Has(name string) bool { return o.fields[name] != nil }

// Fault is the error of a reader that does not like the field's value: a
// *walletcore.FieldError with the field's path.
func (o Object) Fault(name, reason string) error { return fault(o.at.field(name), reason) }

func fault(field, reason string) error {
	return &walletcore.FieldError{Field: field, Reason: reason}
}
