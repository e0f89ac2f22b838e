package record

// field is one of ours.
type field int

const (
	fieldBrand field = iota
	fieldUser
	fieldCurrency
	fieldKind
	fieldID
	fieldReal
	fieldBonus
	fieldRealAfter
	fieldBonusAfter
	fieldFee
	fieldReference
	fieldRound
	fieldStatus
	fieldActor
	fieldTime
	fieldSequence
	fieldCount
)

// fieldNames are the names in a mapping and in errors.
var fieldNames = [fieldCount]string{
	"brand", "user", "currency", "kind", "id", "real", "bonus", "real_after", "bonus_after", "fee",
	"reference", "round", "status", "actor", "time", "sequence",
}

func (f field) String() string { return fieldNames[f] }

// cell is where a value stands in a row, or what it always is.
type cell struct {
	index    int // in the row; below 0 where there is no column
	constant string
}

var noCell = cell{index: -1}

func (c cell) of(values []string) string {
	if c.index < 0 {
		return c.constant
	}
	return values[c.index]
}

// given reports whether there is a column or a constant.
func (c cell) given() bool { return c.index >= 0 || c.constant != "" }

// layout is where everything stands in the rows of one file.
type layout struct {
	cells         [fieldCount]cell
	direction     cell
	credit, debit cell
	namespace     []part
	footers       []footerLayout
	width         int
}

// cellsOf finds columns by their names.
func cellsOf(columns []string) func(string) cell {
	at := make(map[string]int, len(columns))
	for i, name := range columns {
		at[name] = i
	}
	return func(name string) cell {
		if i, ok := at[name]; ok && name != "" {
			return cell{index: i}
		}
		return noCell
	}
}

// layout places the mapping's columns in a row of these.
func (m *Mapping) layout(columns []string) *layout {
	place := cellsOf(columns)
	l := &layout{
		direction: place(m.Sign.Column), credit: place(m.Sign.CreditColumn), debit: place(m.Sign.DebitColumn),
		width: len(columns),
	}
	for f, name := range fieldNames {
		if l.cells[f] = place(m.Fields[name]); l.cells[f].index < 0 {
			l.cells[f].constant = m.Constants[name]
		}
	}
	l.namespace = parts(m.Namespace, place)
	if m.Footer != nil {
		for _, row := range m.Footer.Rows {
			l.footers = append(l.footers, row.layout(place))
		}
	}
	return l
}
