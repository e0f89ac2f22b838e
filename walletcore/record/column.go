package record

import (
	"maps"
	"slices"
)

// columns lists every column that the mapping declares, sorted.
func (m *Mapping) columns() []string {
	all := map[string]bool{}
	for _, name := range slices.Concat(slices.Collect(maps.Values(m.Fields)), m.Ignore, references(m.Namespace),
		[]string{m.Sign.Column, m.Sign.CreditColumn, m.Sign.DebitColumn}) {
		all[name] = true
	}
	for _, rule := range m.Kinds {
		if rule.Namespace != nil {
			for _, name := range references(*rule.Namespace) {
				all[name] = true
			}
		}
	}
	delete(all, "")
	return slices.Sorted(maps.Keys(all))
}

// checkHeader refuses a header that is not exactly the declared columns, in
// whatever order.
func checkHeader(header, declared []string) error {
	e := &HeaderError{}
	seen := map[string]bool{}
	for _, name := range header {
		switch {
		case seen[name]:
			e.Twice = append(e.Twice, shown(name))
		case !slices.Contains(declared, name):
			e.Unknown = append(e.Unknown, shown(name))
		}
		seen[name] = true
	}
	for _, name := range declared {
		if !seen[name] {
			e.Missing = append(e.Missing, shown(name))
		}
	}
	if len(e.Twice)+len(e.Unknown)+len(e.Missing) > 0 {
		return e
	}
	return nil
}
