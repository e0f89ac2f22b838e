package tui_test

import (
	"bytes"
	"context"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/walletctl/walletctl/replay"
	"github.com/walletctl/walletctl/replay/tui"
)

func keyNames() []string {
	names := []string{
		"j", "k", "g", "G", "a", "s", "S", "f", "/", "c", "r", "t", "T", "u", "n", "x", "o", "?", "q", "y", "Y", "jjj", "ry", "山田",
		"\x1b[31m", "space", "é", "🎰",
	}
	for name := range named {
		names = append(names, name)
	}
	return names
}

// Whatever is typed, told and done to the window, at whatever moment.
func TestScreen_AlwaysFillsTheWindowExactly(t *testing.T) {
	t.Parallel()
	names := keyNames()
	rapid.Check(t, func(t *rapid.T) {
		s := newSomebody(t)
		t.Repeat(map[string]func(*rapid.T){
			"": s.requireExact,
			"key": func(t *rapid.T) {
				msg := key(rapid.SampledFrom(names).Draw(t, "key"))
				msg.Paste = rapid.IntRange(0, 9).Draw(t, "paste") == 0 && msg.Type == tea.KeyRunes
				s.tell(msg)
			},
			"resize": func(t *rapid.T) {
				small, large := rapid.IntRange(0, 12), rapid.IntRange(13, 200)
				size := rapid.OneOf(small, large)
				s.w, s.h = size.Draw(t, "width"), rapid.OneOf(small, rapid.IntRange(13, 60)).Draw(t, "height")
				s.tell(tea.WindowSizeMsg{Width: s.w, Height: s.h})
			},
			"beside": func(t *rapid.T) { s.beside() },
			"data":   s.otherData,
			"time":   func(t *rapid.T) { s.clock.Add(int64(rapid.IntRange(0, 9).Draw(t, "s"))) },
		})
	})
}

// somebody types at random; what runs beside the screen is done when asked to.
type somebody struct {
	desk  *desk
	model tea.Model
	cmds  []tea.Cmd
	clock atomic.Int64 // seconds after noon
	w, h  int
}

func newSomebody(t *rapid.T) *somebody {
	s := &somebody{desk: &desk{story: told(), result: credited}}
	s.otherData(t)
	s.model = tui.NewModel(context.Background(), tui.Options{
		Desk: s.desk, Who: "an\x1bna山", Input: &bytes.Buffer{}, Output: &bytes.Buffer{}, Color: true,
		Now: func() time.Time { return noon.Add(time.Duration(s.clock.Load()) * time.Second) },
	})
	s.keep(s.model.Init())
	return s
}

func (s *somebody) otherData(t *rapid.T) {
	text := rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{"", "\x1b[2J", "山田太郎", "e\u0301\u0302", "a\r\nb", "🎰🇩🇪", "\xff"}))
	some := items(rapid.IntRange(0, 30).Draw(t, "items"))
	for i := range some {
		some[i].User, some[i].LastError = text.Draw(t, "user"), text.Draw(t, "error")
		some[i].Brand, some[i].Owner, some[i].Currency = text.Draw(t, "brand"), text.Draw(t, "owner"), text.Draw(t, "currency")
		some[i].Kind = rapid.SampledFrom([]string{"credit_exhausted", "debit_invalid", "effect_exhausted", "\x07"}).Draw(t, "kind")
	}
	story := told()
	story.Facts = append(story.Facts, replay.Fact{Name: text.Draw(t, "name"), Value: text.Draw(t, "value")})
	story.Moments[0].Detail = text.Draw(t, "detail")
	s.desk.change(func(d *desk) { d.items, d.story = some, story })
}

func (s *somebody) tell(msg tea.Msg) {
	var cmd tea.Cmd
	s.model, cmd = s.model.Update(msg)
	s.keep(cmd)
}

func (s *somebody) keep(cmd tea.Cmd) {
	if cmd != nil {
		s.cmds = append(s.cmds, cmd)
	}
}

// beside does what waits to be done, but for waiting itself: a command that
// has not ended in a moment is a tick, or a task that goes on.
func (s *somebody) beside() {
	cmds := s.cmds
	s.cmds = nil
	for _, cmd := range cmds {
		done := make(chan tea.Msg, 1)
		go func() { done <- cmd() }()
		select {
		case msg := <-done:
			switch msg := msg.(type) {
			case tea.BatchMsg:
				for _, c := range msg {
					s.keep(c)
				}
			case nil, tea.QuitMsg, tea.SuspendMsg:
			default:
				s.tell(msg)
			}
		case <-time.After(3 * time.Millisecond):
		}
	}
}

func (s *somebody) requireExact(t *rapid.T) {
	view := s.model.View()
	if s.w == 0 || s.h == 0 {
		return
	}
	lines := strings.Split(view, "\n")
	require.Len(t, lines, s.h)
	for _, line := range lines {
		require.LessOrEqual(t, ansi.StringWidth(line), s.w, "%q", line)
	}
	for _, r := range ansi.Strip(view) {
		require.True(t, r == '\n' || r >= ' ' && r != 0x7f, "control character %q", r)
	}
}

func TestScreen_ShrinksToACellAndBackWhileScrolledToTheEnd(t *testing.T) {
	t.Parallel()
	p := sit(t, &desk{items: items(500), story: told()}, 200, 50)
	for _, open := range []string{"", "enter", "?"} {
		if open != "" {
			p.press(open)
		}
		p.press("G")
		for _, size := range [][2]int{{200, 50}, {1, 1}, {80, 24}, {3, 2}, {0, 0}, {10, 3}, {200, 50}} {
			p.tell(tea.WindowSizeMsg{Width: size[0], Height: size[1]})
			if size[1] > 0 {
				require.Len(t, p.lines(), size[1])
				require.NotEmpty(t, strings.TrimSpace(p.view()), "%v draws nothing", size)
			}
		}
		p.press("esc")
	}
	require.Contains(t, p.current(), "player-500")
}
