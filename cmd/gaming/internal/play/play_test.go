package play_test

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/walletcore/provider"
)

func process(actions string) string {
	return `{"user_id":"u|1","currency":"EUR","round_id":7328334202200869666,"actions":[` + actions + `]}`
}

func act(kind, id string, amount int) string {
	return fmt.Sprintf(`{"action":%q,"action_id":%q,"amount":%d}`, kind, id, amount)
}

func undo(id, original string) string {
	return fmt.Sprintf(`{"action":"rollback","action_id":%q,"original_action_id":%q}`, id, original)
}

func softswiss(transactions string) string {
	return `{"account_id":"u|1","currency":"EUR","round_id":"r-1","round_id_provider":"r-1","transactions":[` + transactions + `]}`
}

func standard(rest string) string { return `{"user":"u|1","currency":"EUR",` + rest + `}` }

func subunits(rest string) string { return `{"player_id":"u|1","currency_code":"EUR",` + rest + `}` }

// One request of an old and a new action; two rollbacks before their bet
// and win.
func TestProcess_OldAndNewInOneRequestAndEarlyRollbacks(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.fund("100")
	first := b.ok("process", "process", process(act("bet", "a1", 100)))
	both := b.ok("process", "process", process(act("bet", "a1", 100)+","+act("bet", "a2", 50)))
	require.Equal(t, "9850", fmt.Sprint(both.body["balance"]))
	require.Equal(t, first.body["transactions"].([]any)[0], both.body["transactions"].([]any)[0], "the same tx_id")
	b.requireBalance("98.50")

	early := b.ok("process", "process", process(undo("r3", "a3")+","+undo("r4", "a4")))
	late := b.ok("process", "process", process(act("bet", "a3", 100)+","+act("win", "a4", 200)))
	require.Equal(t, "9850", fmt.Sprint(late.body["balance"]))
	require.Len(t, late.body["transactions"], 2)
	require.Equal(t, early.text, b.ok("process", "process", process(undo("r3", "a3")+","+undo("r4", "a4"))).text)
	require.Equal(t, late.text, b.ok("process", "process", process(act("bet", "a3", 100)+","+act("win", "a4", 200))).text)
	b.requireBalance("98.50")

	// Undone once, whichever of the two it was.
	b.ok("process", "process", process(act("win", "w1", 1000)))
	b.requireBalance("108.50")
	for _, id := range []string{"r1", "r1", "r2"} {
		b.ok("process", "process", process(undo(id, "w1")+","+undo(id, "a1")))
	}
	b.requireBalance("99.50")
}

func TestProcess_ARefusedActionLeavesNothingOfItsRequest(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.fund("1")
	got := b.call("process", "process", process(act("win", "w", 50)+","+act("bet", "b", 99999)))
	require.Equal(t, 412, got.status)
	require.Equal(t, `{"code":100,"message":"the balance does not cover it","balance":100}`+"\n", got.text)
	b.requireBalance("1")
	b.ok("process", "process", process(act("win", "w", 50)+","+act("bet", "b", 150)))
	b.requireBalance("0")
}

// A rollback first, then its bet, then the rollback again.
func TestSoftswiss_ALateBetIsRefusedAndTheFirstBalanceIsKept(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.fund("100")
	rollback := softswiss(`{"id_provider":"k1","type":"rollback","original_id_provider":"x1"}`)
	early := b.ok("softswiss", "rollback", rollback)
	require.Equal(t, "100.00000000", early.body["balance"])
	late := b.call("softswiss", "betwin", softswiss(`{"id_provider":"x1","type":"bet","amount":"5.00"}`))
	require.Equal(t, 400, late.status)
	require.Equal(t, "409", late.body["meta"].(map[string]any)["api_code"])
	require.Equal(t, early.text, b.ok("softswiss", "rollback", rollback).text)
	b.requireBalance("100")

	bet := softswiss(`{"id_provider":"x2","type":"bet","amount":"5.00"},{"id_provider":"x3","type":"win","amount":"1.50"}`)
	first := b.ok("softswiss", "betwin", bet)
	b.ok("softswiss", "betwin", softswiss(`{"id_provider":"x4","type":"bet","amount":"10"}`))
	require.Equal(t, first.text, b.ok("softswiss", "betwin", bet).text, "the ids and the balance of the first time")
	require.Equal(t, "96.50000000", first.body["balance"])
	b.requireBalance("86.50")

	poor := b.call("softswiss", "betwin", softswiss(`{"id_provider":"x5","type":"bet","amount":"1000"}`))
	require.Equal(t, 400, poor.status)
	require.Equal(t, map[string]any{"api_code": "100", "api_message": "the balance does not cover it", "balance": "86.50000000"},
		poor.body["meta"])
}

// A refund with the bet's own id, with a negative amount, and
// again under another id.
func TestSubunits_ABetIsGivenBackOnce(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.fund("10")
	b.ok("subunits", "bet", subunits(`"transaction_id":"t9","amount":300,"round_id":"1"`))
	b.requireBalance("7")
	for _, id := range []string{"t9", "t9", "t10"} {
		b.ok("subunits", "refund", subunits(`"transaction_id":"`+id+`","refunded_transaction_id":"t9","amount":-1,"round_id":"1"`))
		b.requireBalance("10")
	}
	require.Equal(t, 1, b.count(`select count(*) from gaming.entries where kind = 'refund'`))

	unknown := b.call("subunits", "refund", subunits(`"transaction_id":"r","refunded_transaction_id":"never","amount":300`))
	require.Equal(t, 406, unknown.status)
	late := b.call("subunits", "bet", subunits(`"transaction_id":"never","amount":300`))
	require.Equal(t, 408, late.status)
	b.requireBalance("10")

	other := b.call("subunits", "bet", subunits(`"transaction_id":"t9","amount":301,"round_id":"1"`))
	require.Equal(t, 400, other.status)
	require.Equal(t, `{"code":400,"message":"this id exists with another amount"}`+"\n", other.text)
}

// Ids stay apart by provider, digit and case.
func TestIDs_AreOpaqueAndTheirProvidersOwn(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.fund("100")
	b.ok("standard", "bet", standard(`"transaction_id":1001,"amount":"2.00"`))
	b.ok("standard2", "bet", standard(`"transaction_id":"1001","amount":"3.00"`))
	b.requireBalance("95")
	for _, id := range []string{"7328334202200869666", "7328334202200869667", `"ORDER123"`, `"order123"`, "7328334202200869666"} {
		b.ok("standard", "bet", standard(`"amount":"1","transaction_id":`+id))
	}
	b.requireBalance("91")
	b.ok("standard", "bet", standard(`"amount":"1","transaction_id":"`+strings.Repeat("x", 255)+`"`))
	require.Equal(t, 400, b.call("standard", "bet", standard(`"amount":"1","transaction_id":"`+strings.Repeat("x", 256)+`"`)).status)
	b.requireBalance("90")
}

func TestIDs_MayBeGlobal(t *testing.T) {
	t.Parallel()
	b := newBench(t, func(o *provider.ProfileOptions) { o.Policy.IDs = provider.Global })
	b.fund("100")
	b.ok("standard", "bet", standard(`"transaction_id":"t","amount":"2"`))
	got := b.call("standard", "bet", `{"user":"other","currency":"EUR","transaction_id":"t","amount":"2"}`)
	require.Equal(t, 409, got.status)
	require.NotContains(t, got.text, "u|1", "another player's content is not told")
	b.requireBalance("98")
}

// The first law: eight duplicates at once are one debit and one answer.
func TestStandard_DuplicatesAtOnceAreOneDebit(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.fund("100")
	texts := make([]string, 8)
	var group sync.WaitGroup
	for i := range texts {
		group.Go(func() {
			got := b.call("standard", "bet", standard(`"transaction_id":"t","amount":"10"`))
			if got.status == http.StatusOK {
				texts[i] = strings.Replace(got.text, `"replayed":true`, `"replayed":false`, 1)
			}
		})
	}
	group.Wait()
	for _, text := range texts {
		require.Equal(t, texts[0], text)
	}
	require.NotEmpty(t, texts[0])
	b.requireBalance("90")
}

func TestBalance_OfAPlayerWithoutAWalletIsZero(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	require.Equal(t, `{"balance":0}`+"\n", b.ok("process", "process", `{"user_id":"new","currency":"EUR"}`).text)
	require.Equal(t, `{"balance":"0.00000000"}`+"\n", b.ok("softswiss", "balance", `{"account_id":"new","currency":"EUR"}`).text)
	require.Zero(t, b.count(`select count(*) from gaming.wallets`))
}

// A bet that is refused for its rollback takes its win along: a win without its
// bet would be free money.
func TestBetWin_OfARolledBackBetIsRefusedWhole(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.fund("100")
	b.ok("standard", "refund", standard(`"bet_id":"t"`))
	betwin := standard(`"round_id":"r","bet":{"transaction_id":"t","amount":"1"},"win":{"transaction_id":"w","amount":"50"}`)
	for range 2 {
		require.Equal(t, 409, b.call("standard", "betwin", betwin).status)
		b.requireBalance("100")
	}
	require.Zero(t, b.count(`select count(*) from gaming.entries where kind in ('bet', 'win')`), "a refusal leaves nothing behind")
}

// A bet against its own rollback ends as a bet with its refund, or as a
// tombstone without a bet.
func TestRollback_RacingItsBetEndsInOneOfTwoStates(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.fund("100")
	for i := range 50 {
		id := fmt.Sprintf("k%d", i)
		var group sync.WaitGroup
		group.Go(func() { b.call("process", "process", process(act("bet", id, 100))) })
		group.Go(func() { b.call("process", "process", process(undo("r"+id, id))) })
		group.Wait()
	}
	require.Equal(t, 50, b.count(`
select count(*)
from gaming.entries bet
join gaming.entries refund on refund.wallet_id = bet.wallet_id and refund.external_id = bet.external_id
where bet.kind = 'bet' and refund.kind = 'refund'
  and (bet.mark is null and refund.mark is null or bet.mark = 'void' and refund.mark = 'tombstone')`))
	b.requireBalance("100")
}
