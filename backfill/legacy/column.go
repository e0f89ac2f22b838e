package legacy

import (
	"bytes"
	"slices"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgtype"

	"github.com/walletctl/walletctl/walletcore/record"
)

// moneyOID is the type money, which pgtype does not name.
const moneyOID = 790

// checkTypes refuses columns whose text could be another amount.
func checkTypes(m *record.Mapping, fields []pgconn.FieldDescription) error {
	for i := range fields {
		if slices.Contains(m.Ignore, fields[i].Name) {
			continue
		}
		if err := checkType(m, fields[i].DataTypeOID); err != nil {
			return &ColumnError{Column: fields[i].Name, Err: err}
		}
	}
	return nil
}

func checkType(m *record.Mapping, oid uint32) error {
	switch {
	case oid == pgtype.Float4OID || oid == pgtype.Float8OID:
		return ErrFloat
	case oid == moneyOID:
		return ErrMoney
	case oid == pgtype.NumericOID && m.DecimalMark != ".":
		return ErrMark
	}
	return nil
}

// text makes of what the server sends what the mapping reads; nil stays nil.
type text func(value []byte) []byte

func textOf(oid uint32) text {
	if oid == pgtype.TimestamptzOID {
		return rfc3339
	}
	return func(value []byte) []byte { return value }
}

// rfc3339 rewrites 2024-01-02 03:04:05.6+00, as the session has it. What is
// otherwise, infinity or before our era, stays, and is no time to the mapping.
func rfc3339(value []byte) []byte {
	const date = len("2006-01-02")
	plain, utc := bytes.CutSuffix(value, []byte("+00"))
	if !utc || len(plain) <= date || plain[date] != ' ' {
		return value
	}
	plain[date] = 'T'
	return append(plain, 'Z') // over the offset: no longer than it was
}
