package provider

import (
	"encoding/json"

	"github.com/walletctl/walletctl/walletcore/signature"
)

// subunits is the contract with an operation for each movement, integer
// subunits, and a refund that names what it gives back. Its HTTP statuses are
// its codes.
type subunits struct{}

// Contract implements [Dialect].
func (subunits) Contract() Contract {
	return Contract{
		Signature: signature.Form{Header: "X-REQUEST-SIGN", Encoding: signature.Hex},
		Subunits:  true, NumericCodes: true,
		Policy: Policy{
			DuplicateBalance: Current, LateBet: Refused, UnknownRollback: Refused, RefundAfterWin: Refused,
			WinWithoutBet: ToReal, WinRollback: Refused, IDs: Single,
		},
		Codes: map[Reason]Code{
			NoFunds: {402, "402"}, Frozen: {407, "407"}, RolledBack: {408, "408"}, UnknownTransaction: {406, "406"},
			BadSignature: {403, "403"}, BadRequest: {400, "400"}, TooLarge: {400, "400"}, UnknownOperation: {404, "404"},
			ConflictingID: {400, "400"}, OtherRefusal: {408, "408"}, Unavailable: {503, "503"},
		},
	}
}

// Read implements [Dialect].
func (subunits) Read(p *Profile, operation string, data []byte) (*Call, error) {
	b := parse(p, data)
	call := &Call{User: b.id("player_id"), Currency: b.currency("currency_code"), RoundID: b.optional("round_id")}
	call.Token, _, _ = b.Text("token")
	switch operation {
	case "balance":
	case "bet":
		call.Actions = []Action{subunitsPlay(p, b, call, Bet)}
	case "win":
		call.Actions = []Action{subunitsPlay(p, b, call, Win)}
	case "refund":
		amount, _ := b.integer(p, call.Currency, "amount")
		call.Actions = []Action{{
			Kind: Refund, ID: b.id("refunded_transaction_id"), Reference: b.id("transaction_id"),
			RoundID: call.RoundID, Amount: undone(amount),
		}}
	default:
		return nil, ErrUnknownOperation
	}
	return call, *b.err
}

func subunitsPlay(p *Profile, b body, call *Call, kind Kind) Action {
	amount, given := b.integer(p, call.Currency, "amount")
	action := Action{Kind: kind, RoundID: call.RoundID}
	b.key(&action, "transaction_id")
	action.Amount = b.required("amount", amount, given)
	return action
}

type subunitsAnswer struct {
	TransactionID string `json:"transaction_id,omitempty"` // ours
	Balance       int64  `json:"balance"`
	Token         string `json:"token,omitempty"`
}

// Write implements [Dialect].
func (subunits) Write(p *Profile, call *Call, result *Result) any {
	answer := subunitsAnswer{Balance: p.toUnits(p.Balance(result), call.Currency), Token: call.Token}
	for i := range result.Outcomes {
		answer.TransactionID = result.Outcomes[i].TransactionID()
	}
	return answer
}

type subunitsProblem struct {
	Code    json.Number `json:"code"`
	Message string      `json:"message"`
}

// Refuse implements [Dialect].
func (subunits) Refuse(_ *Profile, problem *Problem) any {
	return subunitsProblem{Code: json.Number(problem.Code.Code), Message: problem.Message}
}
