package record

// Footer describes the rows behind the data of a CSV file. A file without all
// of them is cut off and refused, and so is one whose rows contradict them.
type Footer struct {
	// Separator says that a row of nothing but delimiters stands before them.
	Separator bool        `yaml:"separator"`
	Rows      []FooterRow `yaml:"rows"`
}

// FooterRow describes one of them.
type FooterRow struct {
	// Column and Equals recognise it: this column holds exactly this.
	Column string `yaml:"column"`
	Equals string `yaml:"equals"`
	// Currency is the column with the currency that the row is about, so that
	// there is one such row for each. Default: one row is about all.
	Currency string `yaml:"currency"`
	// Count is the column that states the number of rows.
	Count string `yaml:"count"`
	// Sums says by the summed column in which column its sum stands. It is the
	// sum of what is written, in the unit of the currency.
	Sums map[string]string `yaml:"sums"`
}
