package simulator

import (
	"github.com/walletctl/walletctl/walletcore/provider"
	"github.com/walletctl/walletctl/walletcore/signature"
	"github.com/walletctl/walletctl/walletcore/strictjson"
)

// process sends lists of actions to one endpoint, in integers.
type process struct{}

func (process) traits() traits {
	return traits{
		signature: signature.Form{Header: "Authorization", Encoding: signature.Hex, Prefix: "HMAC-SHA256 "},
		codes: map[provider.Reason]provider.Code{
			provider.BadSignature: {Status: 403, Code: "403"}, provider.ConflictingID: {Status: 400, Code: "400"},
			provider.UnknownTransaction: {Status: 404, Code: "404"}, provider.RolledBack: {Status: 400, Code: "409"},
			provider.NoFunds: {Status: 412, Code: "100"}, provider.OtherRefusal: {Status: 400, Code: "400"},
		},
		pairs: true, lists: true, rollbacks: true, balanceOn: afterSignature,
	}
}

type processBody struct {
	UserID   jsonID          `json:"user_id"`
	Currency string          `json:"currency"`
	RoundID  jsonID          `json:"round_id,omitempty"`
	Finished bool            `json:"finished,omitempty"`
	Actions  []processAction `json:"actions,omitempty"`
}

type processAction struct {
	Action           provider.Kind `json:"action"`
	ActionID         jsonID        `json:"action_id"`
	OriginalActionID jsonID        `json:"original_action_id,omitempty"`
	Amount           *int64        `json:"amount,omitempty"`
}

func (process) look(w wallet, round string) message {
	return message{"process", processBody{
		UserID: jsonID(w.user), Currency: w.currency, RoundID: jsonID(round), Finished: round != "",
	}}
}

func (process) play(w wallet, call *Call) message {
	body := processBody{UserID: jsonID(w.user), Currency: w.currency, RoundID: jsonID(call.Round)}
	for _, a := range call.Actions {
		action := processAction{Action: a.Kind, ActionID: jsonID(a.ID), OriginalActionID: jsonID(a.Undoes)}
		if units := w.count(a.Amount); a.Kind != provider.Rollback || units != 0 {
			action.Amount = &units
		}
		body.Actions = append(body.Actions, action)
	}
	return message{"process", body}
}

func (process) read(w wallet, call *Call, body strictjson.Object, success bool) (a answer, err error) {
	if a.balance, err = w.units(body, "balance"); err != nil {
		return a, err
	}
	if !success {
		a.code, err = text(body, "code")
		return a, err
	}
	a.ids, err = transactions(body, call, "action_id", "tx_id")
	return a, err
}
