package record

import (
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/walletctl/walletctl/walletcore"
)

// Validate fills in the defaults and refuses a mapping that leaves something to
// guess. The error is a *MappingError.
func (m *Mapping) Validate() error {
	m.defaults()
	for _, check := range []func() *MappingError{
		m.checkForm, m.checkUnits, m.checkFields, m.checkConstants, m.checkSign, m.checkTime, m.checkKinds,
		m.checkFooter,
	} {
		if err := check(); err != nil {
			return err
		}
	}
	return nil
}

func (m *Mapping) defaults() {
	for _, d := range []struct {
		key   *string
		value string
	}{
		{&m.Encoding, utf8Name},
		{&m.Delimiter, ","},
		{&m.DecimalMark, "."},
		{(*string)(&m.BlankLines), string(BlankRefused)},
		{(*string)(&m.Duplicates), string(DuplicatesRefused)},
	} {
		if *d.key == "" {
			*d.key = d.value
		}
	}
}

// Require refuses a mapping that declares one of our fields neither as a column
// nor as a constant. The amounts count as real where they stand on two sides.
func (m *Mapping) Require(fields ...string) error {
	for _, name := range fields {
		sides := name == realWord && m.Sign.By == SignBySides
		if m.Fields[name] == "" && m.Constants[name] == "" && !sides {
			return m.wrong("fields", "has no "+name)
		}
	}
	return nil
}

func (m *Mapping) checkForm() *MappingError {
	_, known := charsets[m.Encoding]
	_, pattern := filepath.Match(m.Files, "")
	for _, c := range []struct {
		ok      bool
		key     string
		problem string
	}{
		{m.Format == CSV || m.Format == NDJSON, "format", "must be csv or ndjson"},
		{known || m.Encoding == utf8Name, "encoding", "must be utf-8, latin-1 or windows-1252"},
		{m.Format == CSV || m.Encoding == utf8Name, "encoding", "of NDJSON must be utf-8"},
		{delimits(m.Delimiter), "delimiter", "must be one character, and no quote or line break"},
		{pattern == nil && !strings.ContainsRune(m.Files, '/'), "files", "must be a pattern of file names, such as *.csv"},
		{slices.Contains([]BlankLines{BlankRefused, BlankAtEnd, BlankAnywhere}, m.BlankLines), "blank_lines", "must be refuse, end or anywhere"},
		{slices.Contains([]Order{OrderFile, OrderTime, OrderSequence}, m.Order), "order", "must be file, time or sequence"},
		{slices.Contains([]Duplicates{DuplicatesRefused, DuplicatesSkipped, DuplicatesKept}, m.Duplicates), "duplicates", "must be refuse, skip or keep"},
		{m.Order != OrderSequence || m.Fields["sequence"] != "", "order", "needs the field sequence"},
		{m.Order != OrderTime || m.Fields["time"] != "", "order", "needs the field time"},
	} {
		if !c.ok {
			return m.wrong(c.key, c.problem)
		}
	}
	return nil
}

func delimits(text string) bool {
	r, size := utf8.DecodeRuneInString(text)
	return size == len(text) && size > 0 && r != utf8.RuneError && !strings.ContainsRune("\"\r\n\x00"+string(byteOrderMark), r)
}

// marks are the characters that may stand between groups of digits.
var marks = []string{"", ".", ",", "'", "’", " ", "\u00a0", "\u202f", "_"}

func (m *Mapping) checkUnits() *MappingError {
	if m.DecimalMark != "." && m.DecimalMark != "," {
		return m.wrong("decimal_mark", "must be a point or a comma")
	}
	if !slices.Contains(marks, m.ThousandsMark) || m.ThousandsMark == m.DecimalMark {
		return m.wrong("thousands_mark", "must be a point, comma, apostrophe, blank or underscore, and not the decimal mark")
	}
	if len(m.Units) == 0 {
		return m.wrong("units", `is missing: say what amounts count, such as {"*": main}`)
	}
	for _, currency := range slices.Sorted(maps.Keys(m.Units)) {
		unit := m.Units[currency]
		if currency != anyCurrency && walletcore.CheckCurrency(currency) != nil {
			return m.wrong("units", "has "+shown(currency)+", which is neither a currency nor *")
		}
		if unit != UnitMain && unit != UnitMinor && unit.digits() < 0 {
			return m.wrong("units", "must be main, minor or 0 to 8 for "+currency)
		}
	}
	return nil
}

func (m *Mapping) checkTime() *MappingError {
	c := m.Time
	zoned := strings.Contains(c.Layout, "Z07") || strings.Contains(c.Layout, "-07")
	named := slices.Contains([]string{layoutRFC3339, layoutUnix, layoutUnixMS}, c.Layout)
	_, err := c.clock()
	switch {
	case m.Fields["time"] == "":
		if c != (Clock{}) {
			return m.wrong("time", "is declared, but no column is the field time")
		}
		return nil
	case c.Layout == "":
		return m.wrong("time.layout", "must be rfc3339, unix, unix_ms or a layout such as 2006-01-02 15:04:05")
	case strings.Contains(c.Layout, "MST"):
		return m.wrong("time.layout", "must not have a zone by its letters, which are not unique")
	case !named && !strings.Contains(c.Layout, "2006"):
		return m.wrong("time.layout", "has no year written 2006")
	case (named || zoned) && c.Zone != "":
		return m.wrong("time.zone", "must be empty: the times carry their offset")
	case !named && !zoned && (c.Zone == "" || c.Zone == "Local" || err != nil):
		return m.wrong("time.zone", "must be the IANA name of a zone, such as Europe/Berlin")
	case !slices.Contains([]string{"", foldFirst, foldSecond}, c.Fold) || c.Fold != "" && c.Zone == "":
		return m.wrong("time.fold", "must be first or second, of a time with a zone")
	}
	return nil
}
