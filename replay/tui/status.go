package tui

import (
	"time"

	"github.com/charmbracelet/lipgloss"
)

// slow is when a reading is worth a word.
const slow = 2 * time.Second

// statusLines say what runs, what was last said, and how old the data is, the
// most pressing first.
func (m *model) statusLines() []string {
	var lines []string
	say := func(text string, style lipgloss.Style) {
		lines = append(lines, style.Render(cut(" "+text, m.width)))
	}
	if m.task != nil {
		say(m.task.progress(m.now), m.styles.bold)
	}
	if m.message.text != "" {
		style := m.styles.good
		if m.message.bad {
			style = m.styles.bad
		}
		say(m.message.text, style)
	}
	r, what := &m.reading, "list"
	if m.screen == detailScreen {
		r, what = &m.detail.reading, "story"
	}
	text, bad := m.readingText(r, what)
	style := m.styles.faint
	if bad {
		style = m.styles.bad
	}
	say(text, style)
	return lines
}

// readingText says how the data on the screen stands. Of a long error the end
// gives way, not what stands behind it.
func (m *model) readingText(r *reading, what string) (text string, bad bool) {
	shown := "nothing is known yet"
	if !r.at.IsZero() {
		shown = "showing what was read at " + clock(r.at)
	}
	since := ""
	if r.busy() && (m.now.Sub(r.since) >= slow || r.at.IsZero()) {
		since = "reading since " + age(m.now.Sub(r.since))
	}
	switch {
	case r.err != nil:
		then := ", " + shown
		if since != "" {
			then += ", " + since
		} else {
			then += ", trying again"
		}
		before := "the " + what + " cannot be read: "
		room := max(12, m.width-1-width(before)-width(then))
		return before + cut(oneLine(r.err.Error()), room) + then, true
	case since != "" && r.at.IsZero():
		return since, false
	case since != "":
		return since + ", " + shown, false
	}
	return "read at " + clock(r.at) + " UTC", false
}

// footerLine shows the keys that fit.
func (m *model) footerLine() string {
	line, used := "", 0
	for _, h := range m.hints() {
		cells := width(h.key) + width(h.word) + 3
		if used+cells > m.width+1 {
			break
		}
		line += " " + m.styles.key.Render(h.key) + " " + m.styles.faint.Render(h.word) + " "
		used += cells
	}
	return line
}

func (m *model) hints() []hint {
	switch {
	case m.question != nil:
		return []hint{{"y", "yes"}, {"enter", "no"}}
	case m.prompt != nil:
		return []hint{{"enter", "done"}, {"esc", "leave it"}}
	case m.picker != nil:
		return []hint{{"enter", "choose"}, {"esc", "leave it"}, {"up/down", "move"}}
	}
	return m.keys.footer(m.screen)
}
