package endtoend_test

import (
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// The screen, driven in a terminal as on-call would.
func TestScreen_ReplaysWhatWasExhausted(t *testing.T) {
	t.Parallel()
	p := newRunning(t, impatient)
	p.stop(p.gaming.Load())
	first, second := p.create(order{user: "山田"}), p.create(order{user: "player-2", amount: "25.00"})
	for _, d := range []deposit{first, second} {
		p.pay(d)
		p.waitCase(d.ID, "credit_exhausted")
	}
	p.startGaming(nil)
	anna := p.oncall("anna")

	command, _, _ := anna.command("stuck")
	x := openTerminal(t, command, 120, 30)
	x.see("stuck  2")
	x.resize(1, 1)
	x.resize(80, 24)
	x.see("山田")
	x.press("t")
	x.see("taken")
	x.press("r")
	x.see("Send " + first.ID + " again?")
	x.press("\r")
	x.see("nothing was done")
	require.Equal(t, []string{"credit_exhausted", "credit_exhausted"}, p.openCases())

	x.press("ar")
	x.see("Send 2 again?")
	x.press("y")
	x.see("2 of 2 done")
	p.waitStatus(first, "credited")
	p.waitStatus(second, "credited")
	require.Empty(t, p.openCases())
	x.press("q")
	x.requireRestored(0)

	again := anna.replay(0, first.ID)
	require.Equal(t, first.ID, again.Receipt.ExternalID, "sent again it is the first receipt")
	p.requireWhole([]deposit{first, second}, expected{})
}

func TestScreen_IsLeftInOrderWhenItIsEnded(t *testing.T) {
	t.Parallel()
	p := newPlatform(t, impatient)
	command, _, _ := p.oncall("ben").command("stuck")
	x := openTerminal(t, command, 40, 10)
	x.see("stuck  0")
	require.NoError(t, command.Process.Signal(syscall.SIGTERM))
	x.requireRestored(130)
}

func TestScreen_WithoutATerminalNamesTheList(t *testing.T) {
	t.Parallel()
	p := newPlatform(t, impatient)
	_, stderr := p.oncall("cleo").run(2, "stuck")
	require.Contains(t, stderr, "walletctl stuck list -o json")
}
