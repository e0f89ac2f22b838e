package config

import (
	"errors"
	"fmt"
	"reflect"
	"time"

	"github.com/caarlos0/env/v11"
)

// translate turns the parser's errors, which name Go fields and may quote
// secrets, into errors that name variables.
func translate(err error, settings any, values map[string]string) error {
	var all env.AggregateError
	if !errors.As(err, &all) {
		return err
	}
	fields := fieldsOf(reflect.TypeOf(settings), "")
	var problems []error
	for _, e := range all.Errors {
		problems = append(problems, translateOne(e, fields, values)...)
	}
	return errors.Join(problems...)
}

func translateOne(err error, fields []field, values map[string]string) []error {
	var missing env.VarIsNotSetError
	if errors.As(err, &missing) {
		return []error{&Error{Variable: missing.Key, Problem: "is not set", Try: "set " + missing.Key + ", or " + missing.Key + "_FILE to a file that holds it"}}
	}
	var malformed env.ParseError
	if !errors.As(err, &malformed) {
		return []error{err}
	}
	var problems []error
	for _, f := range fields {
		if _, set := values[f.key]; set && f.name == malformed.Name && f.typ == malformed.Type {
			problems = append(problems, malformedError(f, values[f.key], malformed.Err))
		}
	}
	if len(problems) == 0 {
		return []error{err}
	}
	return problems
}

func malformedError(f field, value string, cause error) error {
	kind, example := "", ""
	switch {
	case f.typ == reflect.TypeFor[Secret]():
		return &Error{Variable: f.key, Problem: "is malformed", Try: "see walletctl help environment"}
	case f.typ == reflect.TypeFor[time.Duration]():
		kind, example = "a duration", "30s"
	case f.typ.Kind() == reflect.Bool:
		kind, example = "true or false", "true"
	case f.typ.Kind() >= reflect.Int && f.typ.Kind() <= reflect.Uint64:
		kind, example = "a whole number that fits", "8"
	default:
		return &Error{Variable: f.key, Problem: "is malformed: " + cause.Error(), Try: "see walletctl help environment"}
	}
	return &Error{
		Variable: f.key,
		Problem:  fmt.Sprintf("is %q, not %s", value, kind),
		Try:      "write it as in " + f.key + "=" + example,
	}
}

type field struct {
	name, key string
	typ       reflect.Type
}

// fieldsOf lists the tagged fields with the variable of each.
func fieldsOf(t reflect.Type, prefix string) []field {
	var fields []field
	for f := range t.Fields() {
		key := tagName(f.Tag.Get("env"))
		switch {
		case key != "":
			fields = append(fields, field{name: f.Name, key: prefix + key, typ: f.Type})
		case f.Type.Kind() == reflect.Struct:
			fields = append(fields, fieldsOf(f.Type, prefix+f.Tag.Get("envPrefix"))...)
		}
	}
	return fields
}

func tagName(tag string) string {
	for i := range len(tag) {
		if tag[i] == ',' {
			return tag[:i]
		}
	}
	return tag
}
