package command

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"os"
	"strings"

	"github.com/walletctl/walletctl/backfill"
	"github.com/walletctl/walletctl/walletcore/record"
)

// balanceSource can be read twice: to show what it holds, then to bring it in.
type balanceSource interface {
	read(ctx context.Context) iter.Seq2[backfill.Balance, error]
	close()
}

func (b *brandOpening) source(ctx context.Context, f *factory) (balanceSource, error) {
	if b.query != "" {
		return openQuery(ctx, f, b.query)
	}
	mapping, err := loadMapping(b.mapping)
	if err != nil {
		return nil, err
	}
	if err := mapping.Require("user", "currency", "real"); err != nil {
		return nil, err
	}
	return &balanceFiles{brand: b.brand, mapping: mapping, paths: b.balances}, nil
}

// loadMapping takes the file of that name, or else the ready one.
func loadMapping(name string) (record.Mapping, error) {
	_, err := os.Stat(name)
	if errors.Is(err, os.ErrNotExist) && !strings.ContainsAny(name, "./") {
		return record.Named(name)
	}
	return record.Load(name)
}

// balanceFiles are files of records.
type balanceFiles struct {
	brand   string
	mapping record.Mapping
	paths   []string
}

func (s *balanceFiles) close() {}

// read stops at the first row that is no balance: a file of balances is right
// as a whole, or not at all.
func (s *balanceFiles) read(ctx context.Context) iter.Seq2[backfill.Balance, error] {
	return func(yield func(backfill.Balance, error) bool) {
		sources := make([]record.Source, len(s.paths))
		for i, path := range s.paths {
			sources[i] = record.Path(path)
		}
		reader, err := record.Open(ctx, s.mapping, sources...)
		if err != nil {
			yield(backfill.Balance{}, err)
			return
		}
		for r, err := range reader.Records() {
			var balance backfill.Balance
			if err == nil {
				balance, err = s.balance(&r)
			}
			if !yield(balance, err) || err != nil {
				return
			}
		}
	}
}

// balance takes a record for what its player came to, from nothing.
func (s *balanceFiles) balance(r *record.Record) (backfill.Balance, error) {
	at := r.Position.String()
	if r.Brand != "" && r.Brand != s.brand {
		return backfill.Balance{}, fmt.Errorf("%s: brand %.64q is another than %s", at, r.Brand, s.brand)
	}
	// What is kept until its batch is written must not share its row's memory.
	return backfill.Balance{
		User: strings.Clone(r.User), Currency: strings.Clone(r.Currency), Real: r.Real, Bonus: r.Bonus, Position: at,
	}, nil
}
