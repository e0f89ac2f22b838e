package play_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/walletctl/walletctl/walletcore"
	"github.com/walletctl/walletctl/walletcore/provider"
)

// saying is one movement, to be said in any dialect. Ids are JSON: quoted, or
// bare numbers.
type saying struct {
	kind     provider.Kind // Bet, Win or Refund
	id       string        // of a refund, the bet's
	own      string        // of a refund, its own
	round    string        // "1" where empty
	amount   string        // in the main unit; of a refund it may be empty
	user     string        // the bench's player where empty
	currency string        // EUR where empty
}

// dialectOf names the dialect of a provider of the bench.
func dialectOf(name string) string { return strings.TrimSuffix(name, "2") }

// say signs and sends a movement as the provider's dialect puts it.
func (b *bench) say(name string, s saying) answer {
	b.t.Helper()
	if s.round == "" {
		s.round = `"1"`
	}
	if s.user == "" {
		s.user = player.User
	}
	if s.currency == "" {
		s.currency = "EUR"
	}
	operation, body := map[string]func(saying) (string, string){
		"standard": sayStandard, "process": sayProcess, "softswiss": saySoftswiss, "subunits": saySubunits,
	}[dialectOf(name)](s)
	return b.call(name, operation, body)
}

// mustSay is say for what has to succeed.
func (b *bench) mustSay(name string, s saying) answer {
	b.t.Helper()
	got := b.say(name, s)
	if got.status != 200 {
		b.t.Fatalf("%s %+v: %d %s", name, s, got.status, got.text)
	}
	return got
}

func sayStandard(s saying) (operation, body string) {
	head := fmt.Sprintf(`{"user":%q,"currency":%q,"round_id":%s,`, s.user, s.currency, s.round)
	if s.kind == provider.Refund {
		return "refund", head + fmt.Sprintf(`"bet_id":%s,"transaction_id":%s%s}`, s.id, s.own, optional(`,"amount":%q`, s.amount))
	}
	return string(s.kind), head + fmt.Sprintf(`"transaction_id":%s,"amount":%q}`, s.id, s.amount)
}

func sayProcess(s saying) (operation, body string) {
	head := fmt.Sprintf(`{"user_id":%q,"currency":%q,"round_id":%s,"actions":[`, s.user, s.currency, s.round)
	if s.kind == provider.Refund {
		return "process", head + fmt.Sprintf(`{"action":"rollback","action_id":%s,"original_action_id":%s%s}]}`,
			s.own, s.id, optional(`,"amount":%s`, s.units()))
	}
	return "process", head + fmt.Sprintf(`{"action":%q,"action_id":%s,"amount":%s}]}`, s.kind, s.id, s.units())
}

func saySoftswiss(s saying) (operation, body string) {
	head := fmt.Sprintf(`{"account_id":%q,"currency":%q,"session_id":"of last year",`, s.user, s.currency)
	if s.kind == provider.Refund {
		return "rollback", head + fmt.Sprintf(`"round_id_provider":%s,"transactions":[{"id_provider":%s,"type":"rollback","original_id_provider":%s%s}]}`,
			s.round, s.own, s.id, optional(`,"amount":%q`, s.amount))
	}
	return "betwin", head + fmt.Sprintf(`"round_id":%s,"transactions":[{"id_provider":%s,"type":%q,"amount":%q}]}`,
		s.round, s.id, s.kind, s.amount)
}

func saySubunits(s saying) (operation, body string) {
	head := fmt.Sprintf(`{"player_id":%q,"currency_code":%q,"token":"of last year","round_id":%s,`, s.user, s.currency, s.round)
	if s.kind == provider.Refund {
		return "refund", head + fmt.Sprintf(`"transaction_id":%s,"refunded_transaction_id":%s%s}`, s.own, s.id, optional(`,"amount":%s`, s.units()))
	}
	return string(s.kind), head + fmt.Sprintf(`"transaction_id":%s,"amount":%s}`, s.id, s.units())
}

func optional(format, value string) string {
	if value == "" {
		return ""
	}
	return fmt.Sprintf(format, value)
}

// units is the amount in the currency's minor unit.
func (s *saying) units() string {
	if s.amount == "" {
		return ""
	}
	step := int64(1)
	for range walletcore.Places - walletcore.MinorUnits(s.currency) {
		step *= 10
	}
	return strconv.FormatInt(walletcore.MustParseMoney(s.amount).Units()/step, 10)
}

// receipts puts our ids into an expected answer: §n stands for the nth entry.
func receipts(text string) string { return strings.ReplaceAll(text, "§", player.ID().String()+"-") }

// eachDialect runs a test for every dialect.
func eachDialect(t *testing.T, title string, test func(t *testing.T, name string)) {
	t.Helper()
	for _, name := range provider.DialectNames() {
		t.Run(title+" "+name, func(t *testing.T) {
			t.Parallel()
			test(t, name)
		})
	}
}
