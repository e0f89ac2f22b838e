package record

// Mapping declares how a source writes its rows. Nothing is guessed: what is
// neither declared nor a documented default is an error. docs/mappings.md
// describes the file that one is loaded from.
type Mapping struct {
	// Name names the mapping in errors: that of a ready one, or its file.
	Name string `yaml:"-"`
	// Format is csv or ndjson.
	Format Format `yaml:"format"`
	// Encoding is utf-8 (the default), latin-1 or windows-1252.
	Encoding string `yaml:"encoding"`
	// Delimiter separates the fields of a CSV row. Default: a comma.
	Delimiter string `yaml:"delimiter"`
	// Files is the pattern of the files of a directory, such as *.csv.gz.
	Files string `yaml:"files"`
	// BlankLines says where lines without a byte may stand. Default: refuse.
	BlankLines BlankLines `yaml:"blank_lines"`
	// DecimalMark is a point (the default) or a comma.
	DecimalMark string `yaml:"decimal_mark"`
	// ThousandsMark is the one character between groups of three digits.
	// Default: none may stand there.
	ThousandsMark string `yaml:"thousands_mark"`
	// Units says by currency what an amount counts; * is any other currency.
	Units map[string]Unit `yaml:"units"`
	// Sign says what makes an amount positive or negative.
	Sign Sign `yaml:"sign"`
	// Time says how the column of field time is written.
	Time Clock `yaml:"time"`
	// Order says in what order the rows happened.
	Order Order `yaml:"order"`
	// Duplicates says what the caller does with a row that came before; the
	// reader only carries it. Default: refuse.
	Duplicates Duplicates `yaml:"duplicates"`
	// Namespace stands before each id; {column} stands for a column's value.
	Namespace string `yaml:"namespace"`
	// Fields says by our field which of the source's columns it is.
	Fields map[string]string `yaml:"fields"`
	// Constants gives fields that the source has no column for.
	Constants map[string]string `yaml:"constants"`
	// Ignore lists the columns that are known and not used.
	Ignore []string `yaml:"ignore"`
	// Kinds says by the source's word what kind a row is.
	Kinds map[string]KindRule `yaml:"kinds"`
	// Statuses says by the source's word what status a row has. Default: as
	// written.
	Statuses map[string]string `yaml:"statuses"`
	// Footer describes the rows behind the data. Default: there are none.
	Footer *Footer `yaml:"footer"`
}

// Format is how a file is made of rows.
type Format string

// The formats.
const (
	// CSV has a header, and quotes as RFC 4180 has them.
	CSV Format = "csv"
	// NDJSON has one JSON object a line.
	NDJSON Format = "ndjson"
)

// BlankLines says where lines without a byte may stand.
type BlankLines string

// The places.
const (
	// BlankRefused makes each a row error.
	BlankRefused BlankLines = "refuse"
	// BlankAtEnd accepts those behind the last row.
	BlankAtEnd BlankLines = "end"
	// BlankAnywhere accepts all of them.
	BlankAnywhere BlankLines = "anywhere"
)

// Unit says what an amount counts: main, minor (by the currency's minor unit),
// or a whole number with as many decimal places as this digit says, 0 to 8.
type Unit string

// The units with a name.
const (
	UnitMain  Unit = "main"
	UnitMinor Unit = "minor"
)

// Sign says what makes an amount positive or negative, as the wallet sees it.
type Sign struct {
	By SignBy `yaml:"by"`
	// Column, Credit and Debit belong to SignByDirection: the column, and its
	// words for what the wallet receives and what it gives.
	Column string   `yaml:"column"`
	Credit []string `yaml:"credit"`
	Debit  []string `yaml:"debit"`
	// CreditColumn and DebitColumn belong to SignBySides.
	CreditColumn string `yaml:"credit_column"`
	DebitColumn  string `yaml:"debit_column"`
}

// SignBy is where the sign is.
type SignBy string

// The places of a sign. Only SignAsWritten accepts one in the amount itself.
const (
	// SignAsWritten: in the amount.
	SignAsWritten SignBy = "column"
	// SignByDirection: in a column with a word for each.
	SignByDirection SignBy = "direction"
	// SignBySides: credits and debits stand in columns of their own.
	SignBySides SignBy = "sides"
	// SignByKind: deposits add, bets take.
	SignByKind SignBy = "kind"
)

// Clock says how a time is written.
type Clock struct {
	// Layout is rfc3339, unix (seconds), unix_ms, or a layout of package time.
	Layout string `yaml:"layout"`
	// Zone is the IANA name of the zone of a layout without an offset.
	Zone string `yaml:"zone"`
	// Fold is first or second: which of two equal local times is meant where
	// the clocks go back. Default: such a time is a row error.
	Fold string `yaml:"fold"`
}

// Order says in what order the rows happened.
type Order string

// The orders.
const (
	OrderFile     Order = "file"
	OrderTime     Order = "time"
	OrderSequence Order = "sequence" // by the field of that name
)

// Duplicates says what is done with a row that came before.
type Duplicates string

// The choices.
const (
	DuplicatesRefused Duplicates = "refuse"
	DuplicatesSkipped Duplicates = "skip"
	DuplicatesKept    Duplicates = "keep"
)
