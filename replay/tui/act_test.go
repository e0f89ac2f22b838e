package tui_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/replay"
	"github.com/walletctl/walletctl/replay/tui"
)

func TestReplay_ShowsItsEffectAndAsks(t *testing.T) {
	t.Parallel()
	d := &desk{items: mixed()}
	p := sit(t, d, 100, 30)
	p.press("a", "r")
	for _, text := range []string{
		"Send 4 again?", "2 x credit of a deposit: EUR 11.50, JPY 9,000", "1 x debit of a withdrawal: EUR 13.50",
		"1 x effect, which moves no money", "Wallets: acme 山田太郎🎰 JPY, bravo player-1 EUR, bravo zoe\u0301 EUR",
		"what gaming has already is answered with its first receipt", "n, enter: no",
	} {
		require.Contains(t, strings.Join(strings.Fields(p.view()), " "), text)
	}
	for _, no := range []string{"enter", "n", "esc", "q", "space", "Y", "x", "r"} {
		p.press(no)
		require.Contains(t, p.view(), "nothing was done", no)
		p.press("r")
	}
	p.tell(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("y"), Paste: true})
	p.tell(key("yy"))
	require.Contains(t, p.view(), "Send 4 again?", "what is pasted or typed in one piece is no answer")
	p.press("n")
	p.tell(key("ry"))
	require.Contains(t, p.view(), "Send 4 again?", "a key typed before the question is no answer to it")
	require.Empty(t, d.sent)
	require.False(t, p.left)

	p.press("y")
	p.see("Send again: 4 of 4 done")
	require.Len(t, d.sent, 4)
	p.press("o")
	require.Contains(t, p.view(), "dep_0002  sent again: done: receipt seq 3, real 0.00000000 -> 11.50000000")
}

func TestReplay_AWindowThatHidesTheEffectTakesNoYes(t *testing.T) {
	t.Parallel()
	d := &desk{items: mixed()}
	p := sit(t, d, 100, 30)
	p.press("a")
	p.tell(tea.WindowSizeMsg{Width: 40, Height: 5})
	p.press("r", "y")
	require.Empty(t, d.sent)
	p.tell(tea.WindowSizeMsg{Width: 80, Height: 24})
	p.press("y")
	p.see("4 of 4 done")
}

func TestReplay_OneSubjectIsSentOnce(t *testing.T) {
	t.Parallel()
	all := items(2)
	all[1].Subject = all[0].Subject
	d := &desk{items: all}
	p := sit(t, d, 100, 30)
	p.press("a", "r", "y")
	p.see("2 of 2 done")
	require.Equal(t, []replay.Subject{all[0].Subject}, d.sent)
}

func TestReplay_LeavesOutWhatIsHidden(t *testing.T) {
	t.Parallel()
	d := &desk{items: items(4)}
	p := sit(t, d, 100, 30)
	p.press("a", "/")
	p.write("player-2")
	p.press("enter", "r")
	require.Contains(t, p.view(), "Left out: 3 selected rows that search or filter hide.")
	p.press("n", "/")
	p.write("x")
	p.press("enter", "r")
	require.Contains(t, p.view(), "search or filter hide what is selected")
	require.Empty(t, d.sent)
}

func TestReplay_FailuresAreSaidByRow(t *testing.T) {
	t.Parallel()
	d := &desk{items: items(3), result: func(s replay.Subject) replay.Result {
		if s.ID == "dep_0002" {
			return replay.Result{Subject: s, Outcome: replay.Failed, Class: "unavailable", Error: "brand is\nimporting"}
		}
		return credited(s)
	}}
	p := sit(t, d, 160, 30)
	p.press("a", "r", "y")
	p.see("Send again: 2 of 3 done, 1 failed")
	p.see("sent again: failed again: unavailable: brand is importing")
	p.press("o")
	require.Contains(t, p.view(), "FAILED  dep_0002  sent again: failed again: unavailable: brand is importing")
}

func TestReplay_EveryOutcomeHasItsWords(t *testing.T) {
	t.Parallel()
	for outcome, want := range map[replay.Outcome]string{
		replay.Done: "done", replay.Failed: "failed again", replay.TimedOut: "still at work; look again later",
		replay.Lost: "its job was gone", replay.NotDue: "nothing waits to be sent: it is confirmed",
		replay.ChargedBack: "refused: the gateway took the money back", replay.Unknown: "refused: there is no such thing",
	} {
		d := &desk{items: items(1), result: func(s replay.Subject) replay.Result {
			return replay.Result{Subject: s, Outcome: outcome, Status: "confirmed"}
		}}
		p := sit(t, d, 120, 20)
		p.press("r", "y")
		p.see("dep_0001 sent again: " + want)
	}
}

func TestClaim_SaysWhoHasTheCaseAndTakesItOverWhenAsked(t *testing.T) {
	t.Parallel()
	all := items(2)
	all[0].Owner = "ben"
	d := &desk{items: all, refuse: &replay.CaseError{Text: "case 1 is with ben"}}
	p := sit(t, d, 120, 20)
	p.press("t")
	p.see("dep_0001 taken: case 1 is with ben; T takes it over")
	p.press("T")
	require.Contains(t, p.view(), "1 case of ben, who is not asked and sees it in the history.")
	p.press("enter")
	require.Equal(t, []string{"claim casino-1 false"}, d.acts)
	d.change(func(d *desk) { d.refuse = nil })
	p.press("T", "y")
	p.see("taken over: it is with anna")
	p.press("u")
	p.see("released: it is with nobody")
	require.Equal(t, []string{"claim casino-1 false", "claim casino-1 true", "release casino-1"}, d.acts)
}

func TestActs_WhatOneIsRefusedSaysNothingAboutTheOthers(t *testing.T) {
	t.Parallel()
	d := &desk{items: items(3), refuse: &replay.CaseError{Closed: true, Text: "case 1 was closed by ben: paid\x1b[5m by hand"}}
	p := sit(t, d, 160, 20)
	p.press("a", "t")
	p.see("Take: 0 of 3 done, 3 failed")
	p.see(`taken: case 1 was closed by ben: paid\u001b[5m by hand`)
	require.Len(t, d.acts, 3)
}

func TestNoteAndResolve_TakeAText(t *testing.T) {
	t.Parallel()
	d := &desk{items: items(2)}
	p := sit(t, d, 120, 20)
	p.press("n")
	p.write("  asked the gateway, q ")
	p.press("enter")
	p.see("noted: asked the gateway, q")
	p.press("n", "enter", "n", "esc")

	p.press("a", "x", "enter")
	p.see("a case is resolved with a reason")
	p.press("x")
	p.write("paid by hand")
	p.press("enter")
	require.Contains(t, p.view(), "Close 2 cases?")
	require.Contains(t, p.view(), "Reason: paid by hand")
	require.Contains(t, p.view(), "No money moves: EUR 24.00")
	p.press("enter")
	require.Len(t, d.acts, 1)
	p.press("x")
	p.write("paid by hand")
	p.press("enter", "y")
	p.see("Resolve: 2 of 2 done")
	slices.Sort(d.acts)
	require.Equal(t, []string{
		"note casino-1 asked the gateway, q", "resolve casino-1 paid by hand", "resolve casino-2 paid by hand",
	}, d.acts)
}

func TestCheck_ConcludesNothingFromWhatItCouldNotRead(t *testing.T) {
	t.Parallel()
	entry := func(what string) []replay.Moment {
		return []replay.Moment{{Where: "casino", What: "entry: deposit"}, {Where: "gaming", What: what, Detail: "real 0 -> 5"}}
	}
	deposit, withdrawal := replay.Subject{Type: replay.Deposit}, replay.Subject{Type: replay.Withdrawal}
	for _, c := range []struct {
		story replay.Story
		want  string
		doubt bool
	}{
		{replay.Story{Subject: deposit, Moments: entry("entry: deposit")}, "CREDITED: the ledger has entry: deposit at", false},
		{replay.Story{Subject: deposit, Moments: entry("entry: deposit (void)")}, "not credited: the ledger has entry: deposit (void)", false},
		{replay.Story{Subject: deposit}, "not credited: the ledger has no entry of it", false},
		{replay.Story{Subject: deposit, Missing: []string{"jobs:\n away"}}, "cannot tell: jobs: away", true},
		{replay.Story{Subject: withdrawal}, "the ledger has no entry of it", false},
		{replay.Story{Subject: withdrawal, Moments: entry("entry: withdrawal")}, "the ledger has entry: withdrawal at", false},
	} {
		text, err := tui.Verdict(&c.story)
		require.True(t, strings.HasPrefix(text, c.want), text)
		require.Equal(t, c.doubt, err != nil)
	}
}

func TestCheck_OfManyIsAnOutcomeEach(t *testing.T) {
	t.Parallel()
	d := &desk{items: items(3), story: told()}
	p := sit(t, d, 120, 20)
	p.press("c")
	p.see("dep_0001 checked: cannot tell: gaming's ledger: no database of gaming is given")
	d.change(func(d *desk) { d.err = errors.New("gone") })
	p.press("a", "c")
	p.see("Check: 0 of 3 done, 3 failed")
}
