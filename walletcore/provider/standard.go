package provider

import (
	"net/http"

	"github.com/walletctl/walletctl/walletcore"
	"github.com/walletctl/walletctl/walletcore/signature"
)

// standard is this project's own contract. openapi.json describes it.
type standard struct{}

// Contract implements [Dialect].
func (standard) Contract() Contract {
	statuses := map[Reason]int{
		BadSignature: http.StatusUnauthorized, BadRequest: http.StatusBadRequest,
		TooLarge: http.StatusRequestEntityTooLarge, UnknownOperation: http.StatusNotFound,
		ConflictingID: http.StatusConflict, UnknownTransaction: http.StatusNotFound,
		RolledBack: http.StatusConflict, NoFunds: http.StatusPaymentRequired, Frozen: http.StatusForbidden,
		Settled: http.StatusConflict, NoBet: http.StatusConflict, OtherRefusal: http.StatusConflict,
		Unavailable: http.StatusServiceUnavailable,
	}
	codes := make(map[Reason]Code, len(statuses))
	for reason, status := range statuses {
		codes[reason] = Code{status, string(reason)}
	}
	return Contract{
		Signature: signature.Form{Header: "X-Signature", Encoding: signature.Hex, Prefix: "sha256=", Bare: true},
		Policy: Policy{
			DuplicateBalance: First, LateBet: Refused, UnknownRollback: Accepted, RefundAfterWin: Refused,
			WinWithoutBet: ToReal, WinRollback: Refused, IDs: Single,
		},
		Codes: codes,
	}
}

// Read implements [Dialect]. A field that is not the operation's is refused: a
// misspelt optional one would otherwise be missed in silence.
func (standard) Read(p *Profile, operation string, data []byte) (*Call, error) {
	read, ok := standardOperations[operation]
	if !ok {
		return nil, ErrUnknownOperation
	}
	b := parse(p, data)
	call := &Call{User: b.id("user"), Currency: b.currency("currency"), RoundID: b.optional("round_id")}
	if b.optional("game_id"); *b.err == nil {
		read(b, call)
	}
	return call, *b.err
}

var standardOperations = map[string]func(body, *Call){
	"balance": func(b body, _ *Call) { b.only("user", "currency", "round_id", "game_id") },
	"bet": func(b body, call *Call) {
		b.only("user", "currency", "round_id", "game_id", "transaction_id", "amount")
		call.Actions = []Action{standardBet(b, call)}
	},
	"win": func(b body, call *Call) {
		b.only("user", "currency", "round_id", "game_id", "transaction_id", "amount", "bet_id")
		call.Actions = []Action{standardWin(b, call)}
	},
	"refund": func(b body, call *Call) {
		b.only("user", "currency", "round_id", "game_id", "transaction_id", "amount", "bet_id")
		amount, _ := b.decimal("amount")
		call.Actions = []Action{{
			Kind: Refund, ID: b.id("bet_id"), Reference: b.optional("transaction_id"),
			RoundID: call.RoundID, Amount: undone(amount),
		}}
	},
	"betwin": func(b body, call *Call) {
		b.only("user", "currency", "round_id", "game_id", "bet", "win")
		bet, win := b.object("bet"), b.object("win")
		bet.only("transaction_id", "amount")
		win.only("transaction_id", "amount")
		call.Actions = []Action{standardBet(bet, call), standardWin(win, call)}
	},
}

func (b body) only(names ...string) {
	if err := b.Only(names...); err != nil {
		b.fail(err)
	}
}

func standardBet(b body, call *Call) Action {
	amount, given := b.decimal("amount")
	action := Action{Kind: Bet, RoundID: call.RoundID}
	b.key(&action, "transaction_id")
	action.Amount = b.required("amount", amount, given)
	return action
}

func standardWin(b body, call *Call) Action {
	action := standardBet(b, call)
	action.Kind = Win
	if bet := b.optional("bet_id"); bet != "" {
		action.Bets = []string{bet}
	}
	return action
}

type standardAnswer struct {
	Balance      walletcore.Money      `json:"balance"`
	Currency     string                `json:"currency"`
	Transactions []standardTransaction `json:"transactions,omitempty"`
}

type standardTransaction struct {
	TransactionID string `json:"transaction_id"` // the provider's
	ReceiptID     string `json:"receipt_id"`     // ours
	Status        Status `json:"status"`
	Replayed      bool   `json:"replayed"`
}

// Write implements [Dialect].
func (standard) Write(p *Profile, call *Call, result *Result) any {
	answer := standardAnswer{Balance: p.Balance(result), Currency: call.Currency}
	for i := range result.Outcomes {
		outcome := &result.Outcomes[i]
		answer.Transactions = append(answer.Transactions, standardTransaction{
			TransactionID: call.Actions[i].Given(), ReceiptID: outcome.TransactionID(),
			Status: outcome.Status(), Replayed: outcome.Posted.Replayed,
		})
	}
	return answer
}

type standardProblem struct {
	Error struct {
		Code    string `json:"code"`
		Field   string `json:"field,omitempty"`
		Message string `json:"message"`
	} `json:"error"`
	Balance  *walletcore.Money `json:"balance,omitempty"`
	Currency string            `json:"currency,omitempty"`
}

// Refuse implements [Dialect].
func (standard) Refuse(_ *Profile, problem *Problem) any {
	answer := standardProblem{Balance: problem.Balance, Currency: problem.Currency}
	answer.Error.Code, answer.Error.Field, answer.Error.Message = problem.Code.Code, problem.Field, problem.Message
	return answer
}
