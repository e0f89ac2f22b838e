package tui_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/replay"
)

func TestScreen_ADeskThatHangsHoldsNothingUp(t *testing.T) {
	t.Parallel()
	d := &desk{items: items(3), hold: make(chan struct{})}
	p := sitDown(t, d, 100, 20)
	p.pass(3 * time.Second)
	p.see("reading since 3s")
	p.press("?")
	p.see("select all shown")
	p.press("esc", "/")
	p.write("player-2")
	p.press("enter")
	close(d.hold)
	p.see("1 of 3")
	require.Contains(t, p.current(), "player-2")
}

func TestScreen_SlownessIsSaidOverWhatWasRead(t *testing.T) {
	t.Parallel()
	d := &desk{items: items(3)}
	p := sit(t, d, 100, 20)
	hold := make(chan struct{})
	d.change(func(d *desk) { d.hold = hold })
	p.press("ctrl+r")
	p.pass(4 * time.Second)
	p.see("reading since 4s, showing what was read at 12:03:04")
	p.press("down")
	require.Contains(t, p.current(), "player-2")
	close(hold)
	p.see("read at 12:03:08 UTC")
}

func TestScreen_ADeadDatabaseIsSaidAndTriedAgain(t *testing.T) {
	t.Parallel()
	d := &desk{items: items(3)}
	p := sit(t, d, 100, 20)
	d.change(func(d *desk) {
		d.err = errors.New("list what is stuck: failed to connect:\n\t127.0.0.1: dial \x1b[31m" + strings.Repeat("x", 200))
	})
	p.pass(5 * time.Second)
	p.see(`the list cannot be read: list what is stuck: fail`)
	p.see("showing what was read at 12:03:04, trying again")
	require.NotContains(t, p.model.View(), "\x1b[31m")
	p.press("down", "space")
	require.Equal(t, 3, rows(p), "what was read stays")
	p.press("enter")
	p.see("the story cannot be read")
	require.Contains(t, p.view(), "dep_0003", "of what is not read the list tells")

	d.change(func(d *desk) { d.err = nil })
	p.pass(5 * time.Second)
	p.see("Time line")
	p.press("esc")
	p.see("read at 12:03:14")
	require.Contains(t, p.view(), "1 selected")
}

func TestScreen_AnActIsSeenThoughAReadingWasUnderWay(t *testing.T) {
	t.Parallel()
	d := &desk{items: items(2)}
	p := sit(t, d, 100, 20)
	hold := make(chan struct{})
	d.change(func(d *desk) { d.hold = hold })
	p.press("ctrl+r", "t")
	p.see("taken: it is with anna")
	d.change(func(d *desk) { d.hold, d.items[0].Owner = nil, "anna" })
	hold <- struct{}{}
	p.await("a third reading", func() bool {
		d.mu.Lock()
		defer d.mu.Unlock()
		return d.read == 3
	})
}

func TestDetail_TellsWhatIsMissingAndWhatIsOver(t *testing.T) {
	t.Parallel()
	d := &desk{items: mixed(), story: told()}
	p := sit(t, d, 100, 40)
	p.press("enter")
	p.see("! missing: gaming's ledger: no database of gaming is given")
	p.see("message: confirmed: applied 9000 JPY pay-1 payment [c-1]")
	p.see(`\u001b[2Jgaming does not answer`)
	p.see("by 山田")
	d.change(func(d *desk) { d.items = d.items[1:] })
	p.pass(5 * time.Second)
	p.see("This is no longer stuck.")
	p.see("closed           2026-03-04T12:03:04Z by ben: paid by hand")
	p.press("tab")
	p.see("owner            ben")
}

func TestDetail_TheStoryOfAnotherIsNotShown(t *testing.T) {
	t.Parallel()
	d := &desk{items: items(2), hold: make(chan struct{})}
	hold := d.hold
	d.hold = nil
	p := sit(t, d, 100, 20)
	d.change(func(d *desk) { d.hold, d.story = hold, told() })
	p.press("enter", "esc")
	p.see("by age")
	d.change(func(d *desk) { d.hold, d.story = nil, replay.Story{Facts: []replay.Fact{{Name: "new", Value: "one"}}} })
	p.press("down", "enter")
	p.see("new              one")
	close(hold)
	p.pass(time.Second)
	p.press("down")
	require.NotContains(t, p.view(), "message: confirmed")
}
