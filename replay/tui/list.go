package tui

import (
	"strings"

	"github.com/walletctl/walletctl/replay"
)

// list is the rows that were read, those of them that are shown, and where the
// person is.
type list struct {
	all      []row // sorted
	shown    []int // of all
	widths   widths
	total    tally // of what is shown
	selected map[replay.Ref]bool
	chosen   int   // of selected, those that are shown
	sum      tally // of those

	cursor int // of shown
	top    int // the first line on the screen, of shown

	order    int
	reversed bool
	search   string
	filter   filter
}

func newList() list {
	return list{selected: map[replay.Ref]bool{}, filter: filter{}, total: newTally(), sum: newTally()}
}

// batch is rows as they come from a reading, made ready beside the loop.
type batch struct {
	rows   []row
	widths widths
}

func newBatch(items []replay.Item) batch {
	b := batch{rows: make([]row, len(items))}
	for i := range items {
		b.rows[i] = newRow(items[i])
	}
	b.widths.measure(b.rows)
	return b
}

// take replaces the rows. Cursor and selection stay with their cases.
func (l *list) take(b batch) {
	at, line := l.ref(), l.cursor-l.top
	l.all, l.widths = b.rows, b.widths
	sortRows(l.all, orders[l.order], l.reversed)
	there := make(map[replay.Ref]bool, len(l.selected))
	for i := range l.all {
		if ref := l.all[i].item.Case; l.selected[ref] {
			there[ref] = true
		}
	}
	l.selected = there
	l.pick(at, line)
}

// pick chooses what is shown, and puts the cursor on a case and on a line of
// the window. Where the case is gone the cursor stays where it was.
func (l *list) pick(at *replay.Ref, line int) {
	words := strings.Fields(strings.ToLower(l.search))
	l.shown, l.total = make([]int, 0, len(l.all)), newTally()
	for i := range l.all {
		r := &l.all[i]
		if !l.filter.passes(r) || !r.matches(words) {
			continue
		}
		if at != nil && r.item.Case == *at {
			l.cursor = len(l.shown)
		}
		l.shown = append(l.shown, i)
		l.total.add(&r.item)
	}
	l.cursor = max(0, min(l.cursor, len(l.shown)-1))
	l.top = l.cursor - line
	l.recount()
}

// again picks after search, filter or order have changed.
func (l *list) again() { l.pick(l.ref(), l.cursor-l.top) }

func (l *list) resort() {
	at, line := l.ref(), l.cursor-l.top
	sortRows(l.all, orders[l.order], l.reversed)
	l.pick(at, line)
}

// row is the n-th that is shown.
func (l *list) row(n int) *row { return &l.all[l.shown[n]] }

// current is the row under the cursor; nil where nothing is shown.
func (l *list) current() *row {
	if l.cursor >= len(l.shown) {
		return nil
	}
	return l.row(l.cursor)
}

func (l *list) ref() *replay.Ref {
	if r := l.current(); r != nil {
		ref := r.item.Case
		return &ref
	}
	return nil
}

// find returns the row of a case, shown or not; nil where it is gone.
func (l *list) find(ref replay.Ref) *row {
	for i := range l.all {
		if l.all[i].item.Case == ref {
			return &l.all[i]
		}
	}
	return nil
}

func (l *list) move(by int) { l.cursor = max(0, min(l.cursor+by, len(l.shown)-1)) }

// settle scrolls the window of so many lines to the cursor.
func (l *list) settle(lines int) {
	lines = max(1, lines)
	l.top = max(l.cursor-lines+1, min(l.top, l.cursor))
	l.top = max(0, min(l.top, len(l.shown)-lines))
}

// toggle selects the row under the cursor, or no longer.
func (l *list) toggle() {
	if r := l.current(); r != nil {
		l.set(r, !l.selected[r.item.Case])
		l.recount()
	}
}

func (l *list) set(r *row, selected bool) {
	if selected {
		l.selected[r.item.Case] = true
	} else {
		delete(l.selected, r.item.Case)
	}
}

// toggleAll selects all that is shown, or nothing where all is selected.
func (l *list) toggleAll() {
	all := true
	for n := range l.shown {
		all = all && l.selected[l.row(n).item.Case]
	}
	for n := range l.shown {
		l.set(l.row(n), !all)
	}
	l.recount()
}

// recount adds up what is selected, here and not with each drawing.
func (l *list) recount() {
	l.chosen, l.sum = 0, newTally()
	if len(l.selected) == 0 {
		return
	}
	for n := range l.shown {
		if r := l.row(n); l.selected[r.item.Case] {
			l.chosen++
			l.sum.add(&r.item)
		}
	}
}

func (l *list) unselect() {
	clear(l.selected)
	l.recount()
}

// targets are what an act is done on: what is selected and shown, or else, with
// nothing selected, the row under the cursor. hidden counts what is selected
// and not shown.
func (l *list) targets() (targets []replay.Item, hidden int) {
	if len(l.selected) == 0 {
		if r := l.current(); r != nil {
			targets = append(targets, r.item)
		}
		return targets, 0
	}
	for n := range l.shown {
		if r := l.row(n); l.selected[r.item.Case] {
			targets = append(targets, r.item)
		}
	}
	return targets, len(l.selected) - len(targets)
}
