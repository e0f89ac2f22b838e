package broker

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	amqp "github.com/rabbitmq/amqp091-go"
)

// maxDepth of headers within headers: a database has a stack to lose.
const maxDepth = 16

// errDeep: headers are nested deeper than anybody means.
var errDeep = errors.New("headers are nested deeper than 16 levels")

// HeadersJSON writes headers as JSON that PostgreSQL takes and that
// [ParseHeaders] reads back. What JSON has no value for is an object with one
// field: {"$bytes": base64}, {"$text": base64} where it is not UTF-8,
// {"$time": RFC 3339}, {"$float": text}, {"$decimal": [scale, value]}. The error
// says that they cannot be written.
func HeadersJSON(headers map[string]any) (json.RawMessage, error) {
	plain, err := plainTable(headers, 0)
	if err != nil {
		return nil, err
	}
	return json.Marshal(plain)
}

func plainTable(table map[string]any, depth int) (any, error) {
	if depth > maxDepth {
		return nil, errDeep
	}
	plain := make(map[string]any, len(table))
	for name, value := range table {
		if !isText(name) || strings.HasPrefix(name, "$") {
			return nil, fmt.Errorf("header %q has a name that is not kept", name)
		}
		var err error
		if plain[name], err = plainHeader(value, depth+1); err != nil {
			return nil, err
		}
	}
	return plain, nil
}

func plainHeader(value any, depth int) (any, error) {
	switch v := value.(type) {
	case nil, bool, int, int8, byte, int16, uint16, int32, uint32, int64, uint64:
		return v, nil
	case string:
		if isText(v) {
			return v, nil
		}
		return map[string]any{"$text": []byte(v)}, nil
	case []byte:
		return map[string]any{"$bytes": v}, nil
	case time.Time:
		return map[string]any{"$time": v.UTC().Format(time.RFC3339)}, nil
	case float32:
		return float(float64(v)), nil
	case float64:
		return float(v), nil
	case amqp.Decimal:
		return map[string]any{"$decimal": []int64{int64(v.Scale), int64(v.Value)}}, nil
	case amqp.Table:
		return plainTable(v, depth)
	case map[string]any:
		return plainTable(v, depth)
	case []any:
		return plainArray(v, depth)
	}
	return nil, fmt.Errorf("header of type %T is not kept", value)
}

func float(f float64) any {
	return map[string]any{"$float": strconv.FormatFloat(f, 'g', -1, 64)}
}

func plainArray(array []any, depth int) (any, error) {
	if depth > maxDepth {
		return nil, errDeep
	}
	plain := make([]any, len(array))
	for i, value := range array {
		var err error
		if plain[i], err = plainHeader(value, depth+1); err != nil {
			return nil, err
		}
	}
	return plain, nil
}

// isText reports whether PostgreSQL takes it as text.
func isText(s string) bool { return utf8.ValidString(s) && strings.IndexByte(s, 0) < 0 }

// ParseHeaders reads what HeadersJSON wrote. Whole numbers come back as int64.
func ParseHeaders(text json.RawMessage) (map[string]any, error) {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	var plain map[string]any
	if err := decoder.Decode(&plain); err != nil {
		return nil, fmt.Errorf("read headers: %w", err)
	}
	return wireTable(plain)
}

func wireTable(plain map[string]any) (map[string]any, error) {
	table := make(amqp.Table, len(plain))
	for name, value := range plain {
		var err error
		if table[name], err = wireValue(value); err != nil {
			return nil, fmt.Errorf("header %q: %w", name, err)
		}
	}
	return table, nil
}

func wireValue(value any) (any, error) {
	switch v := value.(type) {
	case json.Number:
		return v.Int64()
	case map[string]any:
		for name, inner := range v {
			if strings.HasPrefix(name, "$") {
				return special(name, inner)
			}
		}
		table, err := wireTable(v)
		return amqp.Table(table), err
	case []any:
		array := make([]any, len(v))
		for i := range v {
			var err error
			if array[i], err = wireValue(v[i]); err != nil {
				return nil, err
			}
		}
		return array, nil
	}
	return value, nil
}

func special(name string, value any) (any, error) {
	text, _ := value.(string)
	switch name {
	case "$bytes":
		return base64.StdEncoding.DecodeString(text)
	case "$text":
		raw, err := base64.StdEncoding.DecodeString(text)
		return string(raw), err
	case "$time":
		return time.Parse(time.RFC3339, text)
	case "$float":
		return strconv.ParseFloat(text, 64)
	case "$decimal":
		return wireDecimal(value)
	}
	return nil, fmt.Errorf("%s is no kind of value", name)
}

func wireDecimal(value any) (any, error) {
	parts, _ := value.([]any)
	if len(parts) != 2 {
		return nil, errors.New("a decimal has a scale and a value")
	}
	scale, _ := parts[0].(json.Number)
	unscaled, _ := parts[1].(json.Number)
	s, err := scale.Int64()
	n, err2 := unscaled.Int64()
	if err = errors.Join(err, err2); err != nil || s < 0 || s > math.MaxUint8 || n < math.MinInt32 || n > math.MaxInt32 {
		return nil, errors.New("a decimal is out of range")
	}
	return amqp.Decimal{Scale: uint8(s), Value: int32(n)}, nil
}
