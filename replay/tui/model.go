package tui

import (
	"context"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/walletctl/walletctl/replay"
)

// screen is what fills the window.
type screen int

const (
	listScreen screen = iota
	detailScreen
	outcomesScreen
	helpScreen
)

// message is the last thing said to the person.
type message struct {
	text string
	bad  bool
}

// model is the whole screen. Update changes it, View only reads it.
type model struct {
	ctx    context.Context // of what runs beside the loop: ends with the screen
	opts   Options
	keys   keyMap
	styles styles

	now           time.Time
	width, height int
	screen        screen
	back          screen // from help and outcomes

	list    list
	reading reading
	detail  detail

	told     []outcome // in this session, the newest last
	outcomes outcomes  // the last of each case
	pager    pager     // of outcomes and help

	question *question
	prompt   *prompt
	picker   *picker
	task     *task
	message  message
	summary  string // of the last task
}

func newModel(ctx context.Context, o Options) *model {
	o = o.withDefaults()
	return &model{
		ctx: ctx, opts: o, keys: newKeyMap(), styles: newStyles(o.Color), now: o.Now(),
		list: newList(), outcomes: map[replay.Ref]outcome{},
	}
}

// tickMsg is a second that went by.
type tickMsg struct{}

func tick() tea.Cmd { return tea.Tick(time.Second, func(time.Time) tea.Msg { return tickMsg{} }) }

// Init implements [tea.Model].
func (m *model) Init() tea.Cmd { return tea.Batch(m.reload(), tick()) }

// Update implements [tea.Model].
func (m *model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	m.now = m.opts.Now()
	cmd := m.update(msg)
	m.settle()
	return m, cmd
}

func (m *model) update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		m.width, m.height = max(0, msg.Width), max(0, msg.Height)
		m.tellDetail()
	case tickMsg:
		return tea.Batch(tick(), m.refresh())
	case listMsg:
		cmd := m.listed(msg)
		m.tellDetail()
		return cmd
	case storyMsg:
		m.toldStory(msg)
	case progressMsg:
		cmd := m.progressed(msg)
		m.tellDetail()
		return tea.Batch(cmd, m.refresh())
	case crashMsg:
		panic(msg.err)
	case tea.KeyMsg:
		return m.keysPressed(msg)
	}
	return nil
}

// refresh reads again what is due.
func (m *model) refresh() tea.Cmd {
	var cmds []tea.Cmd
	if m.reading.due(m.now, m.opts.Refresh) {
		cmds = append(cmds, m.reload())
	}
	if d := &m.detail; m.screen == detailScreen && !d.reading.busy() &&
		(d.stale || d.reading.due(m.now, m.opts.Refresh)) {
		cmds = append(cmds, m.readStory())
	}
	return tea.Batch(cmds...)
}

// keysPressed takes what was typed. Keys that came in one piece are taken one
// by one, but what was typed before a question was drawn is no answer to it.
func (m *model) keysPressed(msg tea.KeyMsg) tea.Cmd {
	if msg.Type != tea.KeyRunes || msg.Paste || msg.Alt || len(msg.Runes) < 2 || m.prompt != nil {
		return m.press(msg)
	}
	if m.question != nil {
		return nil
	}
	var cmds []tea.Cmd
	for i := range msg.Runes {
		if m.question != nil {
			break
		}
		cmds = append(cmds, m.press(tea.KeyMsg{Type: tea.KeyRunes, Runes: msg.Runes[i : i+1]}))
	}
	return tea.Batch(cmds...)
}

// settle keeps what is scrolled within the window.
func (m *model) settle() {
	body := m.plan().body
	m.list.settle(body)
	switch m.screen {
	case detailScreen:
		m.detail.pager.settle(len(m.detail.lines), body)
	case outcomesScreen:
		m.pager.settle(len(m.told), body)
	case helpScreen:
		m.pager.settle(len(m.helpLines()), body)
	}
}
