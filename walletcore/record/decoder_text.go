package record

import (
	"strconv"

	"github.com/walletctl/walletctl/walletcore"
)

// word reads a text that is one of few; a number in JSON is not one.
func (d *decoder) word(r *row, f field, c cell) (string, *RowError) {
	if r.number(c.index) {
		return "", d.fault(r, f, c, ErrString)
	}
	text := c.of(r.values)
	if text == "" {
		return "", d.fault(r, f, c, ErrEmpty)
	}
	return text, nil
}

// name reads an id that must be there, where the mapping declares it. Digits of
// a JSON number are kept as they stand.
func (d *decoder) name(r *row, f field, limit int) (string, *RowError) {
	c := d.cells[f]
	if !c.given() {
		return "", nil
	}
	return d.checked(r, f, c, limit)
}

// optional is name for a field that may be empty.
func (d *decoder) optional(r *row, f field, limit int) (string, *RowError) {
	c := d.cells[f]
	if c.of(r.values) == "" {
		return "", nil
	}
	return d.checked(r, f, c, limit)
}

func (d *decoder) checked(r *row, f field, c cell, limit int) (string, *RowError) {
	text := c.of(r.values)
	if ordinary(text, limit) {
		return text, nil
	}
	if text == "" {
		return "", d.fault(r, f, c, ErrEmpty)
	}
	if err := walletcore.CheckID(f.String(), text, limit); err != nil {
		return "", d.fault(r, f, c, err)
	}
	return text, nil
}

// ordinary reports whether a text is what nearly all ids are: printable ASCII
// without blanks. walletcore.CheckID says the same of it.
func ordinary(text string, limit int) bool {
	for i := range len(text) {
		if text[i] <= ' ' || text[i] >= 0x7f {
			return false
		}
	}
	return text != "" && len(text) <= limit
}

// id reads the external id and puts its namespace before it.
func (d *decoder) id(r *row, rec *Record, rule *kindRule) *RowError {
	limit := walletcore.MaxGivenID
	if len(rule.namespace) == 0 { // the source's ids have theirs already, if any
		limit = walletcore.MaxExternalID
	}
	given, err := d.optional(r, fieldID, limit)
	if err != nil {
		return err
	}
	if given == "" {
		rec.Digest, d.buffer = r.digest(d.digest, d.buffer)
		return nil
	}
	if len(rule.namespace) == 0 {
		rec.ID = given
		return nil
	}
	return d.qualify(r, rec, rule, given)
}

// qualify puts its namespace before an id.
func (d *decoder) qualify(r *row, rec *Record, rule *kindRule, given string) *RowError {
	d.buffer = d.buffer[:0]
	for _, p := range rule.namespace {
		value := p.column.of(r.values)
		if p.column.index >= 0 && value == "" {
			return d.problem(r, "namespace", p.column, ErrEmpty)
		}
		d.buffer = append(append(d.buffer, p.text...), value...)
	}
	rec.ID = string(append(d.buffer, given...))
	if !ordinary(rec.ID, walletcore.MaxExternalID) {
		if err := walletcore.CheckID("id", rec.ID, walletcore.MaxExternalID); err != nil {
			return d.fault(r, fieldID, d.cells[fieldID], err)
		}
	}
	return nil
}

func (d *decoder) texts(r *row, rec *Record) (err *RowError) {
	if rec.Reference, err = d.optional(r, fieldReference, walletcore.MaxExternalID); err != nil {
		return err
	}
	if rec.Round, err = d.optional(r, fieldRound, walletcore.MaxExternalID); err != nil {
		return err
	}
	actor, err := d.optional(r, fieldActor, walletcore.MaxGivenID)
	if err != nil {
		return err
	}
	rec.Actor = again(&d.actor, actor)
	return d.state(r, rec)
}

func (d *decoder) state(r *row, rec *Record) *RowError {
	c := d.cells[fieldStatus]
	word, err := d.optional(r, fieldStatus, walletcore.MaxGivenID)
	if err != nil {
		return err
	}
	if d.statuses == nil || c.index < 0 {
		rec.Status = again(&d.status, word)
		return nil
	}
	mapped, ok := d.statuses[word]
	if !ok {
		return d.fault(r, fieldStatus, c, ErrUnmapped)
	}
	rec.Status = mapped
	return nil
}

// when reads the time and the sequence.
func (d *decoder) when(r *row, rec *Record) *RowError {
	if c := d.cells[fieldTime]; c.given() {
		text := c.of(r.values)
		if text == "" {
			return d.fault(r, fieldTime, c, ErrEmpty)
		}
		at, err := d.clock.read(text)
		if err != nil {
			return d.fault(r, fieldTime, c, err)
		}
		rec.Time = at
	}
	c := d.cells[fieldSequence]
	if !c.given() {
		return nil
	}
	n, err := strconv.ParseInt(c.of(r.values), 10, 64)
	if err != nil {
		return d.fault(r, fieldSequence, c, ErrSequence)
	}
	rec.Sequence = n
	return nil
}
