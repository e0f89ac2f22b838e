package play_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"
)

// Old and new actions in one call: the old ones keep their ids, the new ones
// move money, in every dialect that takes several.
func TestCall_OldAndNewActionsTogether(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ operation, first, both, want string }{
		"softswiss": {
			"betwin",
			softswiss(`{"id_provider":"a1","type":"bet","amount":"1"}`),
			softswiss(`{"id_provider":"a1","type":"bet","amount":"1"},{"id_provider":"a2","type":"bet","amount":"0.5"}`),
			`{"balance":"98.50000000","round_id":"r-1","transactions":[{"id_provider":"a1","id":"§2","bonus_amount":"0.00000000"},` +
				`{"id_provider":"a2","id":"§3","bonus_amount":"0.00000000"}]}`,
		},
		"process": {
			"process", process(act("bet", "a1", 100)), process(act("bet", "a1", 100) + "," + act("bet", "a2", 50)),
			`{"balance":9850,"round_id":"7328334202200869666","transactions":[{"action_id":"a1","tx_id":"§2"},{"action_id":"a2","tx_id":"§3"}]}`,
		},
	} {
		b := newBench(t)
		b.fund("100")
		b.ok(name, c.operation, c.first)
		for range 2 {
			require.Equal(t, receipts(c.want)+"\n", b.ok(name, c.operation, c.both).text)
			b.requireBalance("98.50")
		}
	}
}

// The bet alone, then bet and win in one call, as a provider does that heard no
// answer to the first.
func TestBetWin_OfAnOldBetAddsTheWinAlone(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.fund("100")
	b.ok("standard", "bet", standard(`"round_id":"1","transaction_id":"t","amount":"10"`))
	betwin := standard(`"round_id":"1","bet":{"transaction_id":"t","amount":"10"},"win":{"transaction_id":"t","amount":"2"}`)
	for range 2 {
		require.Equal(t, "92.00000000", b.ok("standard", "betwin", betwin).body["balance"])
	}
	b.requireBalance("92")
}

// The order within a call counts, and a call stands whole or not at all.
func TestProcess_OrderAndWholenessWithinOneCall(t *testing.T) {
	t.Parallel()
	for actions, c := range map[string]struct {
		status int
		left   string
	}{
		act("bet", "a", 10000) + "," + act("win", "w", 5000):                                  {200, "50"},
		act("win", "w", 5000) + "," + act("bet", "a", 15000):                                  {200, "0"},
		act("bet", "a", 15000) + "," + act("win", "w", 5000):                                  {412, "100"},
		act("bet", "a", 100) + "," + undo("r", "a"):                                           {200, "100"},
		undo("r", "a") + "," + act("bet", "a", 100):                                           {200, "100"},
		act("bet", "a", 100) + "," + act("bet", "a", 100):                                     {200, "99"},
		act("bet", "a", 100) + "," + act("bet", "a", 200):                                     {400, "100"},
		act("bet", "a", 100) + "," + undo("r", "a") + "," + act("bet", "a", 100):              {200, "100"},
		act("win", "w", 100) + "," + undo("r", "w") + "," + undo("s", "w"):                    {200, "100"},
		act("bet", "a", 100) + "," + act("win", "w", 300) + `,{"action":"x","action_id":"y"}`: {400, "100"},
	} {
		b := newBench(t)
		b.fund("100")
		first := b.call("process", "process", process(actions))
		require.Equal(t, c.status, first.status, "%s: %s", actions, first.text)
		b.requireBalance(c.left)
		require.Equal(t, first.text, b.call("process", "process", process(actions)).text, "sent again")
		b.requireBalance(c.left)
	}
}

// A repeat of half of a refused call is not in its way.
func TestProcess_ARefusedCallBurnsNoID(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.fund("1")
	require.Equal(t, http.StatusPreconditionFailed, b.call("process", "process", process(act("bet", "a", 100)+","+act("bet", "b", 1))).status)
	b.ok("process", "process", process(act("bet", "b", 1)))
	require.Equal(t, http.StatusPreconditionFailed, b.call("process", "process", process(act("bet", "a", 100))).status)
	b.ok("process", "process", process(act("win", "w", 1)))
	b.ok("process", "process", process(act("bet", "a", 100)))
	b.requireBalance("0")
}
