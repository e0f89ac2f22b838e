package tui

import (
	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
)

// keyMap is every key there is. Footer and help are made of it.
type keyMap struct {
	Up, Down, PageUp, PageDown, Top, Bottom        key.Binding
	Open, Back, Next, Previous                     key.Binding
	Select, SelectAll                              key.Binding
	Search, Filter, Sort, Reverse, Refresh         key.Binding
	Check, Replay, Claim, TakeOver, Release        key.Binding
	Note, Resolve, Outcomes, Stop, Help, Quit, Out key.Binding
	Yes                                            key.Binding
}

func bind(shown, help string, keys ...string) key.Binding {
	return key.NewBinding(key.WithKeys(keys...), key.WithHelp(shown, help))
}

func newKeyMap() keyMap {
	return keyMap{
		Up: bind("up, k", "one up", "up", "k"), Down: bind("down, j", "one down", "down", "j"),
		PageUp:   bind("pgup", "a page up", "pgup", "ctrl+b"),
		PageDown: bind("pgdn", "a page down", "pgdown", "ctrl+f"),
		Top:      bind("g", "to the top", "g", "home"), Bottom: bind("G", "to the bottom", "G", "end"),
		Open: bind("enter", "open", "enter"), Back: bind("esc", "back", "esc", "backspace"),
		Next: bind("tab", "next case", "tab"), Previous: bind("shift+tab", "case before", "shift+tab"),
		Select: bind("space", "select", " "), SelectAll: bind("a", "select all shown, or none", "a"),
		Search: bind("/", "search", "/"), Filter: bind("f", "filter", "f"),
		Sort: bind("s", "sort by the next field", "s"), Reverse: bind("S", "sort the other way round", "S"),
		Refresh: bind("ctrl+r", "read now", "ctrl+r", "f5"),
		Check:   bind("c", "check: what does the ledger say?", "c"), Replay: bind("r", "replay: send again", "r"),
		Claim: bind("t", "take the case", "t"), TakeOver: bind("T", "take it over from somebody", "T"),
		Release: bind("u", "give it back to nobody", "u"), Note: bind("n", "add a note", "n"),
		Resolve:  bind("x", "resolve with a reason", "x"),
		Outcomes: bind("o", "outcomes of what was done here", "o"),
		Stop:     bind("esc", "stop what runs, after the current item", "esc"),
		Help:     bind("?", "help", "?"), Quit: bind("q", "quit", "q"), Out: bind("ctrl+c", "quit; twice: at once", "ctrl+c"),
		Yes: bind("y", "yes", "y"),
	}
}

// helpGroup is a part of the help.
type helpGroup struct {
	title    string
	bindings []key.Binding
}

func (k *keyMap) groups() []helpGroup {
	return []helpGroup{
		{"Move", []key.Binding{k.Up, k.Down, k.PageUp, k.PageDown, k.Top, k.Bottom, k.Open, k.Back, k.Next, k.Previous}},
		{"Choose", []key.Binding{k.Select, k.SelectAll, k.Search, k.Filter, k.Sort, k.Reverse, k.Refresh}},
		{"Act, on what is selected or else under the cursor", []key.Binding{
			k.Check, k.Replay, k.Claim, k.TakeOver, k.Release, k.Note, k.Resolve, k.Outcomes, k.Stop,
		}},
		{"Leave", []key.Binding{k.Help, k.Quit, k.Out}},
	}
}

// hint is a binding with a shorter word, for the footer.
type hint struct{ key, word string }

func (k *keyMap) footer(s screen) []hint {
	act := []hint{{"c", "check"}, {"r", "replay"}, {"t", "take"}, {"n", "note"}, {"x", "resolve"}}
	switch s {
	case detailScreen:
		return append([]hint{{"?", "help"}, {"esc", "back"}, {"tab", "next"}}, append(act, hint{"q", "quit"})...)
	case outcomesScreen, helpScreen:
		return []hint{{"esc", "back"}, {"up/down", "scroll"}, {"q", "quit"}}
	}
	list := []hint{{"?", "help"}, {"enter", "open"}, {"/", "search"}, {"f", "filter"}, {"s", "sort"}, {"space", "select"}}
	return append(append(list, act...), hint{"q", "quit"})
}

// is reports whether a key was pressed. What is pasted presses none.
func is(msg tea.KeyMsg, b key.Binding) bool { return !msg.Paste && key.Matches(msg, b) }
