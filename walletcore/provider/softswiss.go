package provider

import (
	"github.com/walletctl/walletctl/walletcore"
	"github.com/walletctl/walletctl/walletcore/signature"
)

// softswiss is the contract with balance, betwin, rollback and finish: decimal
// strings in the main unit, and the HTTP statuses 400 and 500 alone; what is
// meant stands in meta.api_code. A duplicate gets the id and the balance of the
// first time.
type softswiss struct{}

// Contract implements [Dialect].
func (softswiss) Contract() Contract {
	return Contract{
		Signature:      signature.Form{Header: "X-REQUEST-SIGN", Encoding: signature.Hex},
		SignatureFixed: true, NumericCodes: true,
		Policy: Policy{
			DuplicateBalance: First, LateBet: Refused, UnknownRollback: Accepted, RefundAfterWin: Accepted,
			WinWithoutBet: ToReal, WinRollback: Refused, IDs: Single,
		},
		Codes: map[Reason]Code{
			NoFunds: {400, "100"}, Frozen: {400, "110"}, RolledBack: {400, "409"}, UnknownTransaction: {400, "404"},
			BadSignature: {400, "403"}, BadRequest: {400, "400"}, TooLarge: {400, "400"}, UnknownOperation: {400, "404"},
			ConflictingID: {400, "400"}, OtherRefusal: {400, "400"}, Unavailable: {500, "503"},
		},
	}
}

// Read implements [Dialect].
func (softswiss) Read(p *Profile, operation string, data []byte) (*Call, error) {
	b := parse(p, data)
	call := &Call{User: b.id("account_id"), Currency: b.currency("currency")}
	switch operation {
	case "balance":
	case "finish":
		call.RoundID = b.id("round_id")
	case "betwin":
		call.RoundID = b.id("round_id")
		for _, item := range b.transactions() {
			call.Actions = append(call.Actions, softswissPlay(item, call))
		}
	case "rollback":
		call.RoundID = b.optional("round_id_provider")
		for _, item := range b.transactions() {
			call.Actions = append(call.Actions, Action{
				Kind: Rollback, ID: item.id("original_id_provider"), Reference: item.id("id_provider"), RoundID: call.RoundID,
			})
		}
	default:
		return nil, ErrUnknownOperation
	}
	return call, *b.err
}

// transactions reads the list of them, which may be empty: a betwin that only
// finishes its round.
func (b body) transactions() []body {
	if !b.Has("transactions") {
		b.fail(b.Fault("transactions", "is missing"))
	}
	return b.list("transactions")
}

func softswissPlay(b body, call *Call) Action {
	kind, _, err := b.Text("type")
	if err != nil {
		b.fail(err)
	}
	if kind != string(Bet) && kind != string(Win) {
		b.fail(b.Fault("type", "is not one of bet, win"))
	}
	amount, given := b.decimal("amount")
	action := Action{Kind: Kind(kind), RoundID: call.RoundID}
	b.key(&action, "id_provider")
	action.Amount = b.required("amount", amount, given)
	return action
}

type softswissAnswer struct {
	Balance      walletcore.Money       `json:"balance"`
	RoundID      string                 `json:"round_id,omitempty"`
	Transactions []softswissTransaction `json:"transactions,omitempty"`
}

type softswissTransaction struct {
	IDProvider  string            `json:"id_provider"`
	ID          string            `json:"id"`
	BonusAmount *walletcore.Money `json:"bonus_amount,omitempty"` // of a bet or win, its part of bonus
}

// Write implements [Dialect].
func (softswiss) Write(p *Profile, call *Call, result *Result) any {
	answer := softswissAnswer{Balance: p.Balance(result), RoundID: call.RoundID}
	for i := range result.Outcomes {
		outcome, action := &result.Outcomes[i], &call.Actions[i]
		transaction := softswissTransaction{IDProvider: action.Given(), ID: outcome.TransactionID()}
		if !action.Kind.undoes() {
			bonus := magnitude(outcome.Posted.Receipt.Moved().Bonus)
			transaction.BonusAmount = &bonus
		}
		answer.Transactions = append(answer.Transactions, transaction)
	}
	return answer
}

func magnitude(amount walletcore.Money) walletcore.Money {
	if amount.Sign() < 0 {
		return amount.Neg()
	}
	return amount
}

type softswissProblem struct {
	Code string `json:"code"`
	Msg  string `json:"msg"`
	Meta struct {
		APICode    string            `json:"api_code"`
		APIMessage string            `json:"api_message"`
		Balance    *walletcore.Money `json:"balance,omitempty"`
	} `json:"meta"`
}

// Refuse implements [Dialect]. The contract asks for the balance where funds
// are the reason, and there alone.
func (softswiss) Refuse(_ *Profile, problem *Problem) any {
	answer := softswissProblem{Code: "invalid_argument", Msg: problem.Message}
	if problem.Code.Status >= 500 {
		answer.Code = "internal"
	}
	answer.Meta.APICode, answer.Meta.APIMessage = problem.Code.Code, problem.Message
	if problem.Reason == NoFunds {
		answer.Meta.Balance = problem.Balance
	}
	return answer
}
