package record

import (
	"maps"
	"slices"
	"strings"

	"github.com/walletctl/walletctl/walletcore"
)

// constantFields are those that may be the same for all rows.
var constantFields = []field{
	fieldBrand, fieldUser, fieldCurrency, fieldKind, fieldReference, fieldRound, fieldStatus, fieldActor,
}

func (m *Mapping) checkFields() *MappingError {
	for _, name := range slices.Sorted(maps.Keys(m.Fields)) {
		if !slices.Contains(fieldNames[:], name) {
			return m.wrong("fields", "has the unknown "+shown(name)+"; known are "+strings.Join(fieldNames[:], ", "))
		}
		if m.Fields[name] == "" {
			return m.wrong("fields", "names no column for "+name)
		}
	}
	if problem := checkNamespace(m.Namespace); problem != "" {
		return m.wrong("namespace", problem)
	}
	used := m.used()
	for _, name := range m.Ignore {
		if name == "" || used[name] {
			return m.wrong("ignore", "lists "+shown(name)+", which is used")
		}
	}
	if m.Fields["currency"] == "" && m.Constants["currency"] == "" {
		return m.wrong("fields", "has no currency")
	}
	return nil
}

// used are the columns that are not ignored.
func (m *Mapping) used() map[string]bool {
	rest := *m
	rest.Ignore = nil
	used := map[string]bool{}
	for _, name := range rest.columns() {
		used[name] = true
	}
	return used
}

func (m *Mapping) checkConstants() *MappingError {
	for _, name := range slices.Sorted(maps.Keys(m.Constants)) {
		value := m.Constants[name]
		known := slices.Index(fieldNames[:], name)
		if known < 0 || !slices.Contains(constantFields, field(known)) {
			return m.wrong("constants", "has "+shown(name)+", which cannot be one")
		}
		if m.Fields[name] != "" {
			return m.wrong("constants", "has "+name+", which is a column too")
		}
		limit := walletcore.MaxGivenID
		if name == "brand" {
			limit = walletcore.MaxName
		}
		if err := walletcore.CheckID(name, value, limit); err != nil {
			return m.wrong("constants", err.Error())
		}
		if name == "currency" && walletcore.CheckCurrency(value) != nil {
			return m.wrong("constants", "has a currency that is not an upper-case code such as EUR")
		}
	}
	return nil
}

func (m *Mapping) checkSign() *MappingError {
	s := m.Sign
	direction := s.Column != "" || len(s.Credit)+len(s.Debit) > 0
	sides := s.CreditColumn != "" || s.DebitColumn != ""
	amounts := m.Fields["real"] != "" || m.Fields["bonus"] != ""
	switch {
	case !slices.Contains([]SignBy{SignAsWritten, SignByDirection, SignBySides, SignByKind}, s.By):
		return m.wrong("sign.by", "must be column, direction, sides or kind")
	case direction != (s.By == SignByDirection) || sides != (s.By == SignBySides):
		return m.wrong("sign", "has keys of another way than by: "+string(s.By)+", or lacks its own")
	case s.By == SignByDirection && (s.Column == "" || len(s.Credit) == 0 || len(s.Debit) == 0):
		return m.wrong("sign", "needs column, credit and debit")
	case s.By == SignByDirection && len(s.words()) < len(s.Credit)+len(s.Debit):
		return m.wrong("sign", "has one word twice")
	case s.By == SignBySides && (s.CreditColumn == "" || s.DebitColumn == "" || s.CreditColumn == s.DebitColumn):
		return m.wrong("sign", "needs credit_column and debit_column")
	case s.By == SignBySides && amounts:
		return m.wrong("sign", "by sides leaves no room for the fields real and bonus")
	case s.By != SignBySides && !amounts:
		return m.wrong("fields", "has neither real nor bonus")
	}
	return nil
}

func (m *Mapping) checkKinds() *MappingError {
	column := m.Fields["kind"] != ""
	switch {
	case column && len(m.Kinds) == 0:
		return m.wrong("kinds", "is missing: say what the words of the column mean")
	case !column && len(m.Kinds) > 0:
		return m.wrong("kinds", "is declared, but no column is the field kind")
	case len(m.Statuses) > 0 && m.Fields["status"] == "":
		return m.wrong("statuses", "is declared, but no column is the field status")
	}
	rules := maps.Clone(m.Kinds)
	if kind := m.Constants["kind"]; kind != "" {
		rules = map[string]KindRule{kind: {Kind: walletcore.Kind(kind)}}
	}
	if m.Sign.By == SignByKind && len(rules) == 0 {
		return m.wrong("sign", "by kind needs the field kind")
	}
	for _, word := range slices.Sorted(maps.Keys(rules)) {
		if problem := m.checkRule(rules[word]); problem != "" {
			return m.wrong("kinds", shown(word)+" "+problem)
		}
	}
	return nil
}

func (m *Mapping) checkRule(rule KindRule) string {
	real, _ := rule.signs()
	switch {
	case rule.check() != "":
		return rule.check()
	case rule.Skip:
		return ""
	case rule.Sign != "" && m.Sign.By != SignByKind:
		return "has a sign, which is declared to stand elsewhere"
	case m.Sign.By == SignByKind && real == 0:
		return "needs a sign: its kind goes either way"
	case rule.Balance == bonusWord && m.Fields["bonus"] != "":
		return "has a balance, though bonus is a column of its own"
	}
	return ""
}

func (m *Mapping) checkFooter() *MappingError {
	if m.Footer == nil {
		return nil
	}
	if m.Format != CSV || len(m.Footer.Rows) == 0 {
		return m.wrong("footer", "must have rows, in a CSV file")
	}
	columns := m.columns()
	for _, row := range m.Footer.Rows {
		names := slices.Concat([]string{row.Column}, slices.Collect(maps.Keys(row.Sums)), slices.Collect(maps.Values(row.Sums)))
		for _, name := range []string{row.Count, row.Currency} {
			if name != "" {
				names = append(names, name)
			}
		}
		for _, name := range names {
			if !slices.Contains(columns, name) {
				return m.wrong("footer", "has the undeclared column "+shown(name))
			}
		}
		if problem := m.checkFooterRow(row); problem != "" {
			return m.wrong("footer", problem)
		}
	}
	return nil
}

func (m *Mapping) checkFooterRow(row FooterRow) string {
	unit := m.Units[anyCurrency]
	if constant := m.Constants["currency"]; constant != "" && m.Units[constant] != "" {
		unit = m.Units[constant]
	}
	switch {
	case row.Equals == "":
		return "must say what its column equals"
	case row.Count == "" && len(row.Sums) == 0:
		return "has a row that states neither count nor sums"
	case len(row.Sums) > 0 && row.Currency == "" && (unit == UnitMinor || unit == ""):
		return "has sums whose unit depends on the currency: name its column"
	}
	return ""
}
