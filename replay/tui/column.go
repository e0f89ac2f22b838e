package tui

import (
	"time"

	"github.com/walletctl/walletctl/replay"
)

// column of the list.
type column struct {
	title string
	right bool
	most  int // cells; longer texts are cut
	rank  int // of those that do not fit, the highest is left out first
	text  func(*row, time.Time) string
}

const ageWidth = 6

var columns = []column{
	{"AGE", true, ageWidth, 1, func(r *row, now time.Time) string { return age(now.Sub(r.item.Since)) }},
	{"AMOUNT", true, 24, 0, func(r *row, _ time.Time) string { return r.amount }},
	{"BRAND", false, 12, 6, func(r *row, _ time.Time) string { return r.brand }},
	{"PLAYER", false, 20, 2, func(r *row, _ time.Time) string { return r.player }},
	{"STEP", false, 16, 3, func(r *row, _ time.Time) string { return r.step }},
	{"STATUS", false, 12, 8, func(r *row, _ time.Time) string { return r.status }},
	{"TRIES", true, 5, 5, func(r *row, _ time.Time) string { return r.tries }},
	{"CLASS", false, 14, 4, func(r *row, _ time.Time) string { return r.class }},
	{"OWNER", false, 16, 7, func(r *row, _ time.Time) string { return r.owner }},
	{"ID", false, 40, 9, func(r *row, _ time.Time) string { return r.id }},
}

// last is the column that takes what the others leave, and its title.
const (
	lastTitle = "LAST ERROR"
	lastLeast = 16
	gap       = 2
	marks     = 2 // of cursor and selection, before the first column
)

// widths are what the columns need for the rows that were read; they are
// measured once a reading, beside the loop.
type widths [10]int

func (w *widths) measure(rows []row) {
	for c := range columns {
		w[c] = min(width(columns[c].title), columns[c].most)
	}
	w[0] = ageWidth
	for i := range rows {
		for c := 1; c < len(columns); c++ {
			w[c] = max(w[c], min(columns[c].most, width(columns[c].text(&rows[i], time.Time{}))))
		}
	}
}

// place is a column that is shown.
type place struct {
	*column
	width int
}

// arrange chooses the columns for a window, and what is left for the last one:
// 0 where that is too little. Ids give way to the last error.
func (w *widths) arrange(total int) (places []place, last int) {
	chosen := make([]bool, len(columns))
	used := marks - gap
	for c := range columns {
		chosen[c] = true
		used += w[c] + gap
	}
	for {
		worst := -1
		for c := range columns {
			if chosen[c] && (worst < 0 || columns[c].rank > columns[worst].rank) {
				worst = c
			}
		}
		tight := columns[worst].title == "ID" && total-used-gap < lastLeast
		if columns[worst].rank == 0 || (used <= total && !tight) {
			break
		}
		chosen[worst] = false
		used -= w[worst] + gap
	}
	for c := range columns {
		if chosen[c] {
			places = append(places, place{&columns[c], min(w[c], max(0, total-marks))})
		}
	}
	if last = total - used - gap; last < lastLeast {
		last = 0
	}
	return places, last
}

// outcomes are what came of the last act on each case.
type outcomes map[replay.Ref]outcome
