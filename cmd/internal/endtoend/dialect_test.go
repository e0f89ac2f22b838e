package endtoend_test

import (
	"encoding/json"
	"fmt"
	"strings"
)

// dialect is how the providers of one contract say what they want, and what
// they are told. Amounts are in cents.
type dialect struct {
	name string
	// bet, win and refund give an operation and a body. A refund has an id of
	// its own, made of the bet's. Each bet is a round of its own.
	bet, win func(user, id string, cents int) (operation, body string)
	refund   func(user, bet string) (operation, body string)
	// transaction is where an answer has our id.
	transaction []any
	// perUnit is 1 where balances are integers of cents, 100 where they are
	// decimal strings.
	perUnit int

	noFunds, rolledBack, unavailable refusal
	// unknown is what a refund of nothing is told; the status is 200 where that
	// is a success.
	unknown refusal
}

// refusal is a status, and a code at a place in the answer. balance is where
// the contract asks for one; nil where it does not.
type refusal struct {
	status  int
	code    string
	at      []any
	balance []any
}

func dialects() []dialect {
	code, apiCode, balance := []any{"code"}, []any{"meta", "api_code"}, []any{"balance"}
	standard := []any{"error", "code"}
	return []dialect{
		{
			name: "standard", bet: standardPlay("bet"), win: standardPlay("win"), refund: standardRefund,
			transaction: []any{"transactions", 0, "receipt_id"}, perUnit: 100,
			noFunds:     refusal{402, "insufficient_funds", standard, balance},
			rolledBack:  refusal{409, "rolled_back", standard, nil},
			unavailable: refusal{503, "unavailable", standard, nil},
			unknown:     refusal{status: 200},
		},
		{
			name: "process", bet: processPlay("bet"), win: processPlay("win"), refund: processRollback,
			transaction: []any{"transactions", 0, "tx_id"}, perUnit: 1,
			noFunds:     refusal{412, "100", code, balance},
			rolledBack:  refusal{status: 200}, // accepted without effect
			unavailable: refusal{500, "500", code, nil},
			unknown:     refusal{status: 200},
		},
		{
			name: "softswiss", bet: softswissPlay("bet"), win: softswissPlay("win"), refund: softswissRollback,
			transaction: []any{"transactions", 0, "id"}, perUnit: 100,
			noFunds:     refusal{400, "100", apiCode, []any{"meta", "balance"}},
			rolledBack:  refusal{400, "409", apiCode, nil},
			unavailable: refusal{500, "503", apiCode, nil},
			unknown:     refusal{status: 200},
		},
		{
			name: "subunits", bet: subunitsPlay("bet"), win: subunitsPlay("win"), refund: subunitsRefund,
			transaction: []any{"transaction_id"}, perUnit: 1,
			noFunds:     refusal{402, "402", code, nil},
			rolledBack:  refusal{408, "408", code, nil},
			unavailable: refusal{503, "503", code, nil},
			unknown:     refusal{406, "406", code, nil},
		},
	}
}

func standardPlay(operation string) func(user, id string, cents int) (string, string) {
	return func(user, id string, cents int) (string, string) {
		return operation, fmt.Sprintf(`{"user":%q,"currency":"EUR","round_id":%q,"transaction_id":%q,"amount":"%d.%02d"}`,
			user, "round-"+id, id, cents/100, cents%100)
	}
}

func standardRefund(user, bet string) (operation, body string) {
	return "refund", fmt.Sprintf(`{"user":%q,"currency":"EUR","round_id":%q,"transaction_id":%q,"bet_id":%q}`,
		user, "round-"+bet, "undo-"+bet, bet)
}

func processPlay(action string) func(user, id string, cents int) (string, string) {
	return func(user, id string, cents int) (string, string) {
		return "process", fmt.Sprintf(`{"user_id":%q,"currency":"EUR","round_id":%q,"actions":[{"action":%q,"action_id":%q,"amount":%d}]}`,
			user, "round-"+id, action, id, cents)
	}
}

func processRollback(user, bet string) (operation, body string) {
	return "process", fmt.Sprintf(
		`{"user_id":%q,"currency":"EUR","round_id":%q,"actions":[{"action":"rollback","action_id":%q,"original_action_id":%q}]}`,
		user, "round-"+bet, "undo-"+bet, bet)
}

func softswissPlay(kind string) func(user, id string, cents int) (string, string) {
	return func(user, id string, cents int) (string, string) {
		return "betwin", fmt.Sprintf(
			`{"account_id":%q,"currency":"EUR","round_id":%q,"transactions":[{"type":%q,"id_provider":%q,"amount":"%d.%02d"}]}`,
			user, "round-"+id, kind, id, cents/100, cents%100)
	}
}

func softswissRollback(user, bet string) (operation, body string) {
	return "rollback", fmt.Sprintf(
		`{"account_id":%q,"currency":"EUR","round_id_provider":%q,"transactions":[{"type":"rollback","id_provider":%q,"original_id_provider":%q}]}`,
		user, "round-"+bet, "undo-"+bet, bet)
}

func subunitsPlay(operation string) func(user, id string, cents int) (string, string) {
	return func(user, id string, cents int) (string, string) {
		return operation, fmt.Sprintf(`{"player_id":%q,"currency_code":"EUR","round_id":%q,"transaction_id":%q,"amount":%d}`,
			user, "round-"+id, id, cents)
	}
}

func subunitsRefund(user, bet string) (operation, body string) {
	return "refund", fmt.Sprintf(
		`{"player_id":%q,"currency_code":"EUR","round_id":%q,"transaction_id":%q,"refunded_transaction_id":%q}`,
		user, "round-"+bet, "undo-"+bet, bet)
}

// at returns what stands at a place of a JSON text, as text; empty where there
// is nothing.
func (a answer) at(place ...any) string {
	var here any
	decoder := json.NewDecoder(strings.NewReader(a.body))
	decoder.UseNumber()
	_ = decoder.Decode(&here)
	for _, step := range place {
		switch step := step.(type) {
		case string:
			object, _ := here.(map[string]any)
			here = object[step]
		case int:
			list, _ := here.([]any)
			if step >= len(list) {
				return ""
			}
			here = list[step]
		}
	}
	if here == nil {
		return ""
	}
	return fmt.Sprint(here)
}

// money writes cents as the dialect shows balances.
func (d *dialect) money(cents int) string {
	if d.perUnit == 1 {
		return fmt.Sprint(cents)
	}
	return fmt.Sprintf("%d.%02d000000", cents/100, cents%100)
}

// is reports whether the answer is this refusal.
func (r refusal) is(a answer) bool {
	return a.status == r.status && (r.code == "" || a.at(r.at...) == r.code)
}
