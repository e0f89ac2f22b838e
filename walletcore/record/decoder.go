package record

import (
	"hash"
	"strings"

	"github.com/walletctl/walletctl/walletcore"
)

// decoder makes records of the rows of one file.
type decoder struct {
	*layout
	file     string
	numerals numerals
	units    units
	clock    *clock
	kinds    map[string]*kindRule
	fixed    *kindRule // of a source without a column for the kind
	statuses map[string]string
	by       SignBy
	words    map[string]int64 // of the direction: 1 or -1
	digest   hash.Hash
	buffer   []byte
	brand    string // of the row before
	status   string
	actor    string
}

// kindRule is a KindRule with its namespace in place.
type kindRule struct {
	KindRule
	namespace   []part
	real, bonus int64 // the signs
}

// newDecoder compiles a mapping that Validate accepted, for a file with these
// columns.
func newDecoder(m *Mapping, file string, columns []string) (*decoder, error) {
	clock, err := m.Time.clock()
	if err != nil {
		return nil, &FileError{File: file, Err: err}
	}
	d := &decoder{
		layout: m.layout(columns), file: file, numerals: m.numerals(), clock: clock,
		units:    units{declared: m.Units, known: map[string]unitOf{}},
		statuses: m.Statuses, by: m.Sign.By, words: m.Sign.words(), digest: newDigest(),
	}
	d.kinds = d.rules(m, columns)
	d.fixed = d.rule(KindRule{Kind: walletcore.Kind(m.Constants[fieldKind.String()])}, columns)
	return d, nil
}

func (d *decoder) rules(m *Mapping, columns []string) map[string]*kindRule {
	rules := make(map[string]*kindRule, len(m.Kinds))
	for word, rule := range m.Kinds {
		rules[word] = d.rule(rule, columns)
	}
	return rules
}

func (d *decoder) rule(rule KindRule, columns []string) *kindRule {
	compiled := &kindRule{KindRule: rule, namespace: d.namespace}
	compiled.real, compiled.bonus = rule.signs()
	if rule.Namespace != nil {
		compiled.namespace = parts(*rule.Namespace, cellsOf(columns))
	}
	return compiled
}

func (s Sign) words() map[string]int64 {
	words := map[string]int64{}
	for _, word := range s.Credit {
		words[word] = 1
	}
	for _, word := range s.Debit {
		words[word] = -1
	}
	return words
}

// decode fills rec from r. It reports whether the mapping skips the row.
func (d *decoder) decode(r *row, rec *Record) (skip bool, err *RowError) {
	*rec = Record{Position: Position{File: d.file, Line: r.line}}
	rule, err := d.kind(r)
	if err != nil || rule.Skip {
		return err == nil, err
	}
	rec.Kind = rule.Kind
	currency, err := d.who(r, rec)
	if err != nil {
		return false, err
	}
	if err := d.movement(r, rec, rule, currency); err != nil {
		return false, err
	}
	if err := d.balances(r, rec, currency); err != nil {
		return false, err
	}
	if err := d.id(r, rec, rule); err != nil {
		return false, err
	}
	if err := d.texts(r, rec); err != nil {
		return false, err
	}
	return false, d.when(r, rec)
}

func (d *decoder) kind(r *row) (*kindRule, *RowError) {
	c := d.cells[fieldKind]
	if c.index < 0 {
		return d.fixed, nil
	}
	word, err := d.word(r, fieldKind, c)
	if err != nil {
		return nil, err
	}
	rule, ok := d.kinds[word]
	if !ok {
		return nil, d.fault(r, fieldKind, c, ErrUnmapped)
	}
	return rule, nil
}

// who reads whose wallet it is.
func (d *decoder) who(r *row, rec *Record) (unitOf, *RowError) {
	var err *RowError
	if rec.Brand, err = d.name(r, fieldBrand, walletcore.MaxName); err != nil {
		return unitOf{}, err
	}
	rec.Brand = again(&d.brand, rec.Brand)
	if rec.User, err = d.name(r, fieldUser, walletcore.MaxGivenID); err != nil {
		return unitOf{}, err
	}
	c := d.cells[fieldCurrency]
	code, err := d.word(r, fieldCurrency, c)
	if err != nil {
		return unitOf{}, err
	}
	currency, problem := d.units.of(code)
	if problem != nil {
		return unitOf{}, d.fault(r, fieldCurrency, c, problem)
	}
	rec.Currency = currency.code
	return currency, nil
}

// again returns last where it is equal to value, so that a value which most
// rows share keeps no row alive.
func again(last *string, value string) string {
	if *last != value {
		*last = strings.Clone(value)
	}
	return *last
}

// fault is the error of a field.
func (d *decoder) fault(r *row, f field, c cell, err error) *RowError {
	return d.problem(r, f.String(), c, err)
}

func (d *decoder) problem(r *row, name string, c cell, err error) *RowError {
	return &RowError{
		Position: Position{File: d.file, Line: r.line, Column: r.column(c.index)},
		Field:    name, Value: shown(c.of(r.values)), Err: err,
	}
}
