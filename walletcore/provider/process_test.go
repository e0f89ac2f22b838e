package provider_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/walletcore"
	"github.com/walletctl/walletctl/walletcore/provider"
)

func processBody(actions string) string {
	return `{"user_id":"u|1","currency":"EUR","round_id":7328334202200869666,"finished":true,"actions":[` + actions + `]}`
}

func TestProcess_Contract(t *testing.T) {
	t.Parallel()
	d := newDoor(t, "process", "100")
	const round = `"round_id":"7328334202200869666",`
	d.want("process", `{"user_id":"u|1","currency":"EUR"}`, 200, `{"balance":10000}`)
	d.want("process", processBody(``), 200, `{"balance":10000,"round_id":"7328334202200869666"}`)

	bet := `{"action":"bet","action_id":"a1","amount":100}`
	d.want("process", processBody(bet), 200, `{"balance":9900,`+round+`"transactions":[{"action_id":"a1","tx_id":"§1"}]}`)
	// An old action keeps its tx_id, the new one moves money; the balance is the
	// current one.
	d.want("process", processBody(bet+`,{"action":"win","action_id":"a2","amount":50}`), 200,
		`{"balance":9950,`+round+`"transactions":[{"action_id":"a1","tx_id":"§1"},{"action_id":"a2","tx_id":"§2"}]}`)
	d.want("process", processBody(bet), 200, `{"balance":9950,`+round+`"transactions":[{"action_id":"a1","tx_id":"§1"}]}`)

	rollback := `{"action":"rollback","action_id":"r3","original_action_id":"a3"}`
	for range 2 {
		d.want("process", processBody(rollback), 200, `{"balance":9950,`+round+`"transactions":[{"action_id":"r3","tx_id":"§3"}]}`)
	}
	for range 2 {
		d.want("process", processBody(`{"action":"bet","action_id":"a3","amount":100}`), 200,
			`{"balance":9950,`+round+`"transactions":[{"action_id":"a3","tx_id":"§4"}]}`)
	}
	d.want("process", processBody(`{"action":"bet","action_id":"a5","amount":1000000}`), 412,
		`{"code":100,"message":"the balance does not cover it","balance":9950}`)
	d.want("process", processBody(`{"action":"bet","action_id":"a1","amount":101}`), 400,
		`{"code":400,"message":"this id exists with another amount","balance":9950}`)
	d.want("other", processBody(``), 404, `{"code":404,"message":"there is no such operation"}`)
	require.Equal(t, walletcore.WalletKey{Brand: "acme", User: "u|1", Currency: "EUR"}, d.wallet.requests[0].Wallet)
	require.Equal(t, "games:7328334202200869666", d.wallet.requests[0].Actions[0].RoundID)
}

func TestProcess_RefusesWhatIsNoAction(t *testing.T) {
	t.Parallel()
	d := newDoor(t, "process", "100")
	for action, message := range map[string]string{
		`{"action":"bet","action_id":"a","amount":-1}`:                  "actions[].amount must not be negative",
		`{"action":"bet","action_id":"a","amount":1.5}`:                 "actions[].amount must be an integer",
		`{"action":"bet","action_id":"a","amount":1e2}`:                 "actions[].amount must be an integer",
		`{"action":"bet","action_id":"a","amount":"1"}`:                 "actions[].amount must be an integer",
		`{"action":"bet","action_id":"a"}`:                              "actions[].amount is missing",
		`{"action":"bet","amount":1}`:                                   "actions[].action_id is missing",
		`{"action":"bet","action_id":"","amount":1}`:                    "actions[].action_id must not be empty",
		`{"action":"bet","action_id":"a\u0000","amount":1}`:             "actions[].action_id holds a control character",
		`{"action":"rollback","action_id":"a"}`:                         "actions[].original_action_id is missing",
		`{"action":"jackpot","action_id":"a","amount":1}`:               "actions[].action is not one of bet, win, rollback",
		`{"action":"bet","action_id":"a","amount":1},7`:                 "actions must be a list of objects",
		`{"action":"bet","action_id":"a","amount":9223372036854775807}`: "actions[].amount is out of range",
	} {
		d.want("process", processBody(action), 400, `{"code":400,"message":"`+message+`"}`)
	}
	require.Empty(t, d.wallet.requests)
}

// The unit comes from the profile and the currency, never from the look
// of the number.
func TestProcess_CountsInTheUnitOfTheCurrency(t *testing.T) {
	t.Parallel()
	d := newDoor(t, "process", "0", func(o *provider.ProfileOptions) { o.Units = map[string]int{"DOGE": 3, "USDT": 0} })
	for currency, want := range map[string]string{
		"EUR": "12.34", "JPY": "1234", "KWD": "1.234", "DOGE": "1.234", "USDT": "1234", "BTC": "0.00001234",
	} {
		d.wallet.requests, d.wallet.balance = nil, walletcore.Parts{}
		d.want("process", `{"user_id":"u","currency":"`+currency+`","actions":[{"action":"win","action_id":"`+currency+`","amount":1234}]}`,
			200, `{"balance":1234,"transactions":[{"action_id":"`+currency+`","tx_id":"§`+string(rune('0'+d.wallet.seq+1))+`"}]}`)
		require.Equal(t, walletcore.MustParseMoney(want), d.wallet.requests[0].Actions[0].Amount, currency)
	}
	d.wallet.balance = walletcore.Parts{Real: walletcore.MustParseMoney("0.019")}
	d.want("process", `{"user_id":"u","currency":"EUR"}`, 200, `{"balance":1}`)
}
