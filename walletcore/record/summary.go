package record

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"slices"

	"github.com/walletctl/walletctl/walletcore"
)

// Digest is a SHA-256 digest, in text as hexadecimal digits.
type Digest [DigestSize]byte

// String formats d as 64 hexadecimal digits.
func (d Digest) String() string { return hex.EncodeToString(d[:]) }

// MarshalText writes d as 64 hexadecimal digits.
func (d Digest) MarshalText() ([]byte, error) { return []byte(d.String()), nil }

// Summary says what was read.
type Summary struct {
	Files  []FileSummary `json:"files"`
	Totals []Total       `json:"totals"` // by kind, then currency
	// SHA256 is over the digests of the files, one after the other: the files'
	// names do not count, their order does.
	SHA256 Digest `json:"sha256"`
}

// FileSummary says what was read of one file. Each row of the file is counted
// in exactly one of Rows, Skipped and Refused, header, separator and footers
// in none.
type FileSummary struct {
	Name    string `json:"name"`
	Bytes   int64  `json:"bytes"` // as stored, compressed or not
	Rows    int64  `json:"rows"`  // that are records
	Skipped int64  `json:"skipped"`
	Refused int64  `json:"refused"`
	Blank   int64  `json:"blank"`  // lines without a byte that were accepted
	SHA256  Digest `json:"sha256"` // of the bytes as stored
}

// Total is what the records of one kind and currency come to.
type Total struct {
	Kind     walletcore.Kind `json:"kind"`
	Currency string          `json:"currency"`
	Count    int64           `json:"count"`
	Real     Sum             `json:"real"`
	Bonus    Sum             `json:"bonus"`
}

// tally makes a summary, row by row.
type tally struct {
	files  []FileSummary
	totals map[totalKey]*Total
	last   *Total // most rows are of the kind and currency of the row before
}

type totalKey struct {
	kind     walletcore.Kind
	currency string
}

func (t *tally) add(r *Record) {
	if t.last == nil || t.last.Kind != r.Kind || t.last.Currency != r.Currency {
		t.last = t.of(totalKey{r.Kind, r.Currency})
	}
	t.last.Count++
	t.last.Real.Add(r.Real)
	t.last.Bonus.Add(r.Bonus)
}

func (t *tally) of(key totalKey) *Total {
	if t.totals == nil {
		t.totals = map[totalKey]*Total{}
	}
	if t.totals[key] == nil {
		t.totals[key] = &Total{Kind: key.kind, Currency: key.currency}
	}
	return t.totals[key]
}

func (t *tally) summary() Summary {
	s := Summary{Files: slices.Clone(t.files)}
	all := sha256.New()
	for _, f := range s.Files {
		all.Write(f.SHA256[:])
	}
	all.Sum(s.SHA256[:0])
	for _, total := range t.totals {
		s.Totals = append(s.Totals, *total)
	}
	slices.SortFunc(s.Totals, func(a, b Total) int {
		return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Currency, b.Currency))
	})
	return s
}
