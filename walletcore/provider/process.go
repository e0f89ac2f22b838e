package provider

import (
	"encoding/json"

	"github.com/walletctl/walletctl/walletcore/signature"
)

// process is the contract with one endpoint that takes a list of bets, wins
// and rollbacks, in subunits, and answers each with a lasting id. Without
// actions it is a question for the balance.
type process struct{}

// Contract implements [Dialect].
func (process) Contract() Contract {
	return Contract{
		Signature:      signature.Form{Header: "Authorization", Encoding: signature.Hex, Prefix: "HMAC-SHA256 "},
		SignatureFixed: true, Subunits: true, NumericCodes: true,
		Policy: Policy{
			DuplicateBalance: Current, LateBet: Accepted, UnknownRollback: Accepted, RefundAfterWin: Accepted,
			WinWithoutBet: ToReal, WinRollback: Refused, IDs: Single,
		},
		Codes: map[Reason]Code{
			NoFunds: {412, "100"}, Frozen: {400, "110"}, RolledBack: {400, "409"}, UnknownTransaction: {404, "404"},
			BadSignature: {403, "403"}, BadRequest: {400, "400"}, TooLarge: {413, "413"}, UnknownOperation: {404, "404"},
			ConflictingID: {400, "400"}, OtherRefusal: {400, "400"}, Unavailable: {500, "500"},
		},
	}
}

// Read implements [Dialect].
func (process) Read(p *Profile, operation string, data []byte) (*Call, error) {
	if operation != "process" {
		return nil, ErrUnknownOperation
	}
	b := parse(p, data)
	call := &Call{User: b.id("user_id"), Currency: b.currency("currency"), RoundID: b.optional("round_id")}
	for _, item := range b.list("actions") {
		call.Actions = append(call.Actions, processAction(p, item, call))
	}
	return call, *b.err
}

func processAction(p *Profile, b body, call *Call) Action {
	kind, _, err := b.Text("action")
	if err != nil {
		b.fail(err)
	}
	amount, given := b.integer(p, call.Currency, "amount")
	action := Action{Kind: Kind(kind), RoundID: call.RoundID}
	switch action.Kind {
	case Bet, Win:
		b.key(&action, "action_id")
		action.Amount = b.required("amount", amount, given)
	case Rollback:
		action.Reference, action.ID, action.Amount = b.id("action_id"), b.id("original_action_id"), undone(amount)
	default:
		b.fail(b.Fault("action", "is not one of bet, win, rollback"))
	}
	return action
}

type processAnswer struct {
	Balance      int64                `json:"balance"`
	RoundID      string               `json:"round_id,omitempty"`
	Transactions []processTransaction `json:"transactions,omitempty"`
}

type processTransaction struct {
	ActionID string `json:"action_id"`
	TxID     string `json:"tx_id"`
}

// Write implements [Dialect].
func (process) Write(p *Profile, call *Call, result *Result) any {
	answer := processAnswer{Balance: p.toUnits(p.Balance(result), call.Currency), RoundID: call.RoundID}
	for i := range result.Outcomes {
		answer.Transactions = append(answer.Transactions, processTransaction{
			ActionID: call.Actions[i].Given(), TxID: result.Outcomes[i].TransactionID(),
		})
	}
	return answer
}

type processProblem struct {
	Code    json.Number `json:"code"`
	Message string      `json:"message"`
	Balance *int64      `json:"balance,omitempty"`
}

// Refuse implements [Dialect].
func (process) Refuse(p *Profile, problem *Problem) any {
	return processProblem{
		Code: json.Number(problem.Code.Code), Message: problem.Message, Balance: p.unitsLeft(problem),
	}
}
