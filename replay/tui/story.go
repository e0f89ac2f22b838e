package tui

import (
	"slices"
	"strings"
	"time"

	"github.com/walletctl/walletctl/replay"
)

// detailLines lays out what is known about the item: what was done here, facts,
// case, what is missing, and the time line.
func (m *model) detailLines(w int) []string {
	d, s := &m.detail, &m.styles
	var lines []string
	if o, ok := m.outcomes[d.item.Case]; ok {
		lines = append(lines, paintLines(hang(o.verb.past+" at "+clock(o.at)+": ", o.text, w), s.bold)...)
		lines = append(lines, "")
	}
	if m.list.find(d.item.Case) == nil && !m.reading.at.IsZero() {
		lines = append(lines, paintLines(wrap("This is no longer stuck.", w), s.good)...)
	}
	lines = append(lines, factLines(caseFacts(d), w, s)...)
	if d.story == nil {
		lines = append(lines, factLines(itemFacts(&d.item), w, s)...)
		return append(lines, "", cut("The story is being read.", w))
	}
	lines = append(lines, factLines(d.story.Facts, w, s)...)
	lines = append(lines, missingLines(d.story.Missing, w, s)...)
	lines = append(lines, "", s.bold.Render(cut("Time line, UTC", w)))
	for i := range d.story.Moments {
		lines = append(lines, momentLines(&d.story.Moments[i], w, s)...)
	}
	return lines
}

// itemFacts is what the list knows, until the story is read.
func itemFacts(i *replay.Item) []replay.Fact {
	return []replay.Fact{
		{Name: i.Subject.Type, Value: i.Subject.ID},
		{Name: "status", Value: i.Status},
		{Name: "amount", Value: i.Amount.String() + " " + i.Currency},
		{Name: "brand", Value: i.Brand},
		{Name: "user", Value: i.User},
		{Name: "attempts", Value: count(i.Attempts)},
		{Name: "last error", Value: i.Class + ": " + i.LastError},
	}
}

func caseFacts(d *detail) []replay.Fact {
	facts := []replay.Fact{
		{Name: "case", Value: d.item.Case.String() + ": " + strings.ReplaceAll(d.item.Kind, "_", " ") + ", since " + instant(d.item.Since)},
		{Name: "owner", Value: valueOr(d.item.Owner, "nobody")},
	}
	c := d.kept
	if c == nil {
		return facts
	}
	facts[1].Value = valueOr(c.Owner, "nobody")
	if c.ClosedAt != nil {
		facts = append(facts, replay.Fact{
			Name: "closed", Value: instant(*c.ClosedAt) + " by " + valueOr(c.ResolvedBy, "its own progress") + ": " + c.Resolution,
		})
	}
	return facts
}

func valueOr(value, otherwise string) string {
	if value == "" {
		return otherwise
	}
	return value
}

func factLines(facts []replay.Fact, w int, s *styles) []string {
	const name = 16
	var lines []string
	for _, f := range facts {
		prefix := fit(safe(f.Name), min(name, max(1, w/3))) + " "
		for i, line := range hang(prefix, oneLine(f.Value), w) {
			if i == 0 && strings.HasPrefix(line, prefix) {
				line = s.faint.Render(prefix) + line[len(prefix):]
			}
			lines = append(lines, line)
		}
	}
	return lines
}

func missingLines(missing []string, w int, s *styles) []string {
	var lines []string
	for _, text := range missing {
		lines = append(lines, paintLines(hang("! missing: ", oneLine(text), w), s.bad)...)
	}
	if len(lines) > 0 {
		lines = slices.Insert(lines, 0, "")
	}
	return lines
}

// momentLines is one moment of the time line: when, where, what.
func momentLines(m *replay.Moment, w int, s *styles) []string {
	when, where := m.At.UTC().Format(time.DateTime)+"  ", fit(safe(m.Where), 8)+" "
	text := oneLine(m.What)
	if detail := oneLine(m.Detail); detail != "" {
		text += ": " + detail
	}
	if m.Actor != "" {
		text += ", by " + safe(m.Actor)
	}
	if m.CorrelationID != "" {
		text += " [" + safe(m.CorrelationID) + "]"
	}
	lines := hang(when+where, text, w)
	if rest, ok := strings.CutPrefix(lines[0], when+where); ok {
		lines[0] = s.faint.Render(when) + s.accent.Render(where) + rest
	}
	return lines
}

func instant(t time.Time) string { return t.UTC().Format(time.RFC3339) }
