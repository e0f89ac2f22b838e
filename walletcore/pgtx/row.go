package pgtx

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// ErrSettled says that another transaction did the same work first. This one
// must end, and leaves nothing.
var ErrSettled = errors.New("work was settled by another")

// Querier is what a pool, a connection and a transaction have in common.
type Querier interface {
	Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error)
	QueryRow(ctx context.Context, sql string, args ...any) pgx.Row
	Exec(ctx context.Context, sql string, args ...any) (pgconn.CommandTag, error)
}

// ExactlyOne is for a change of the row whose lock is held: anything but one
// row is a bug, and must not commit.
func ExactlyOne(ctx context.Context, tx pgx.Tx, query string, args ...any) error {
	tag, err := tx.Exec(ctx, query, args...)
	if err != nil {
		return err
	}
	if tag.RowsAffected() != 1 {
		return fmt.Errorf("%d rows changed instead of one", tag.RowsAffected())
	}
	return nil
}

// OrNull turns a zero value into NULL.
func OrNull[T comparable](v T) any {
	var zero T
	if v == zero {
		return nil
	}
	return v
}

// OptionalText reads the one text of a row, empty where there is no row.
func OptionalText(row pgx.Row) (string, error) {
	var text string
	err := row.Scan(&text)
	if errors.Is(err, pgx.ErrNoRows) {
		return "", nil
	}
	return text, err
}

// MaxText is the length of the bounded text columns, in bytes.
const MaxText = 2000

// Clip fits a text of any origin into a bounded text column: errors may quote
// what a stranger sent.
func Clip(text string) string {
	text = strings.Map(func(r rune) rune {
		if r == 0 {
			return '\uFFFD'
		}
		return r
	}, strings.ToValidUTF8(text, "\uFFFD"))
	if len(text) > MaxText {
		text = strings.ToValidUTF8(text[:MaxText-4], "") + "…"
	}
	return text
}
