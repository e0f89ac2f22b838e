package tui_test

import (
	"bytes"
	"context"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"
	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/replay/tui"
)

// person sits in front of a screen without a terminal: types, looks, and waits
// for what runs beside.
type person struct {
	t     *testing.T
	model tea.Model
	desk  *desk
	msgs  chan tea.Msg
	clock atomic.Int64 // nanoseconds after noon
	left  bool
}

// sit opens a screen of some size and waits for the first reading.
func sit(t *testing.T, d *desk, w, h int, change ...func(*tui.Options)) *person {
	t.Helper()
	p := sitDown(t, d, w, h, change...)
	p.await("the first reading", func() bool { return strings.Contains(p.view(), "read at") })
	return p
}

// sitDown does not wait.
func sitDown(t *testing.T, d *desk, w, h int, change ...func(*tui.Options)) *person {
	t.Helper()
	if d.result == nil {
		d.result = credited
	}
	ctx, cancel := context.WithCancel(t.Context())
	t.Cleanup(cancel)
	p := &person{t: t, desk: d, msgs: make(chan tea.Msg, 1000)}
	o := tui.Options{
		Desk: d, Who: "anna", Refresh: 5 * time.Second, Input: &bytes.Buffer{}, Output: &bytes.Buffer{},
		Now: func() time.Time { return noon.Add(time.Duration(p.clock.Load())) },
	}
	for _, c := range change {
		c(&o)
	}
	p.model = tui.NewModel(ctx, o)
	p.run(p.model.Init())
	p.tell(tea.WindowSizeMsg{Width: w, Height: h})
	return p
}

// run does a command beside the loop, as bubbletea does.
func (p *person) run(cmd tea.Cmd) {
	if cmd != nil {
		go func() { p.msgs <- cmd() }()
	}
}

func (p *person) tell(msg tea.Msg) {
	p.t.Helper()
	switch msg := msg.(type) {
	case tea.BatchMsg:
		for _, cmd := range msg {
			p.run(cmd)
		}
		return
	case tea.QuitMsg:
		p.left = true
		return
	}
	var cmd tea.Cmd
	p.model, cmd = p.model.Update(msg)
	p.run(cmd)
}

// await takes what comes from beside until something holds.
func (p *person) await(what string, holds func() bool) {
	p.t.Helper()
	timeout := time.After(20 * time.Second)
	for !holds() {
		select {
		case msg := <-p.msgs:
			p.tell(msg)
		case <-timeout:
			require.Fail(p.t, "waited in vain for "+what, p.view())
		}
	}
}

// see waits until the window shows a text.
func (p *person) see(text string) {
	p.t.Helper()
	p.await("the window to show "+text, func() bool { return strings.Contains(p.view(), text) })
}

func (p *person) pass(d time.Duration) { p.clock.Add(int64(d)) }

// press types keys by their names; a single letter is a key.
func (p *person) press(keys ...string) {
	p.t.Helper()
	for _, k := range keys {
		p.tell(key(k))
	}
}

// write types a text letter by letter.
func (p *person) write(text string) {
	p.t.Helper()
	for _, r := range text {
		p.tell(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{r}})
	}
}

var named = map[string]tea.KeyType{
	"enter": tea.KeyEnter, "esc": tea.KeyEsc, "up": tea.KeyUp, "down": tea.KeyDown, "pgup": tea.KeyPgUp,
	"pgdown": tea.KeyPgDown, "home": tea.KeyHome, "end": tea.KeyEnd, "tab": tea.KeyTab, "shift+tab": tea.KeyShiftTab,
	"backspace": tea.KeyBackspace, "ctrl+c": tea.KeyCtrlC, "ctrl+r": tea.KeyCtrlR, "ctrl+v": tea.KeyCtrlV,
	"left": tea.KeyLeft, "right": tea.KeyRight, "delete": tea.KeyDelete, "ctrl+w": tea.KeyCtrlW, "ctrl+k": tea.KeyCtrlK,
}

func key(name string) tea.KeyMsg {
	if t, ok := named[name]; ok {
		return tea.KeyMsg{Type: t}
	}
	if name == "space" {
		return tea.KeyMsg{Type: tea.KeySpace, Runes: []rune{' '}}
	}
	return tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(name)}
}

// view is what the window shows, without styles.
func (p *person) view() string { return ansi.Strip(p.model.View()) }

func (p *person) lines() []string { return strings.Split(p.view(), "\n") }

// current is the line under the cursor.
func (p *person) current() string {
	for _, line := range p.lines() {
		if strings.HasPrefix(line, ">") {
			return line
		}
	}
	return ""
}

// choice is the line under the cursor of the picker, below the list.
func (p *person) choice() string {
	for _, line := range slices.Backward(p.lines()) {
		if strings.HasPrefix(line, ">") {
			return line
		}
	}
	return ""
}
