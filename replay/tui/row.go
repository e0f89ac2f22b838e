package tui

import (
	"strings"
	"time"

	"github.com/walletctl/walletctl/replay"
)

// row is an item as it is shown. Every text of it is harmless.
type row struct {
	item replay.Item

	id, amount, brand, player, step, status, tries, class, owner, lastError string

	words string // what a search looks through
}

func newRow(item replay.Item) row {
	r := row{
		item: item, id: safe(item.Subject.ID), brand: safe(item.Brand), player: safe(item.User), step: step(item.Kind),
		status: safe(item.Status), tries: count(item.Attempts), class: safe(item.Class), owner: safe(item.Owner),
		lastError: oneLine(pointOf(&item)),
	}
	if item.Currency != "" {
		r.amount = amountText(item.Amount.Decimal(), item.Currency) + " " + safe(item.Currency)
	}
	r.words = strings.ToLower(strings.Join([]string{
		r.id, r.amount, r.brand, r.player, r.step, item.Kind, r.status, r.class, r.owner, r.lastError, item.Case.String(),
	}, "\n"))
	return r
}

// pointOf is the error without the part that names the item, which its row
// does.
func pointOf(item *replay.Item) string {
	if _, point, ok := strings.Cut(item.LastError, item.Subject.ID+": "); ok && item.Subject.ID != "" {
		return point
	}
	return item.LastError
}

// step names what a case is stuck in. All of them are exhausted unless they say
// otherwise.
func step(kind string) string {
	return safe(strings.ReplaceAll(strings.TrimSuffix(kind, "_exhausted"), "_", " "))
}

// what tells of the last thing that happened to the row.
func (r *row) what(outcomes map[replay.Ref]outcome) string {
	if o, ok := outcomes[r.item.Case]; ok {
		return o.verb.past + ": " + o.text
	}
	if r.item.NextAttemptAt != nil {
		return "tried again at " + clock(*r.item.NextAttemptAt) + "; before: " + r.lastError
	}
	return r.lastError
}

// matches reports whether the row has every one of the words.
func (r *row) matches(words []string) bool {
	for _, w := range words {
		if !strings.Contains(r.words, w) {
			return false
		}
	}
	return true
}

func clock(t time.Time) string { return t.UTC().Format(time.TimeOnly) }
