package simulator

import (
	"github.com/walletctl/walletctl/walletcore"
	"github.com/walletctl/walletctl/walletcore/provider"
	"github.com/walletctl/walletctl/walletcore/signature"
	"github.com/walletctl/walletctl/walletcore/strictjson"
)

// standard sends one movement a call, or a bet with its win, in decimals.
type standard struct{}

func (standard) traits() traits {
	codes := map[provider.Reason]provider.Code{}
	for reason, status := range map[provider.Reason]int{
		provider.BadSignature: 401, provider.ConflictingID: 409, provider.UnknownTransaction: 404,
		provider.RolledBack: 409, provider.NoFunds: 402, provider.Settled: 409, provider.NoBet: 409,
		provider.OtherRefusal: 409,
	} {
		codes[reason] = provider.Code{Status: status, Code: string(reason)}
	}
	return traits{
		signature: signature.Form{Header: "X-Signature", Encoding: signature.Hex, Prefix: "sha256="},
		codes:     codes,
		pairs:     true, balanceOn: afterSignature,
	}
}

type standardBody struct {
	User          jsonID            `json:"user"`
	Currency      string            `json:"currency"`
	RoundID       jsonID            `json:"round_id,omitempty"`
	TransactionID jsonID            `json:"transaction_id,omitempty"`
	BetID         jsonID            `json:"bet_id,omitempty"`
	Amount        *walletcore.Money `json:"amount,omitempty"`
	Bet           *standardPart     `json:"bet,omitempty"`
	Win           *standardPart     `json:"win,omitempty"`
}

type standardPart struct {
	TransactionID jsonID           `json:"transaction_id"`
	Amount        walletcore.Money `json:"amount"`
}

func (standard) look(w wallet, round string) message {
	return message{"balance", standardBody{User: jsonID(w.user), Currency: w.currency, RoundID: jsonID(round)}}
}

func (standard) play(w wallet, call *Call) message {
	body := standardBody{User: jsonID(w.user), Currency: w.currency, RoundID: jsonID(call.Round)}
	if len(call.Actions) > 1 {
		bet, win := &call.Actions[0], &call.Actions[1]
		body.Bet, body.Win = &standardPart{jsonID(bet.ID), bet.Amount}, &standardPart{jsonID(win.ID), win.Amount}
		return message{"betwin", body}
	}
	a := &call.Actions[0]
	body.TransactionID, body.BetID, body.Amount = jsonID(a.ID), jsonID(a.Bet), &a.Amount
	if a.Kind != provider.Rollback {
		return message{string(a.Kind), body}
	}
	body.BetID = jsonID(a.Undoes)
	if a.Amount.IsZero() {
		body.Amount = nil
	}
	return message{"refund", body}
}

func (standard) read(_ wallet, call *Call, body strictjson.Object, success bool) (a answer, err error) {
	if a.balance, err = decimal(body, "balance"); err != nil {
		return a, err
	}
	if success {
		a.ids, err = transactions(body, call, "transaction_id", "receipt_id")
		return a, err
	}
	problem, ok, err := body.Object("error")
	if err != nil || !ok {
		return a, body.Fault("error", "is missing")
	}
	a.code, err = text(problem, "code")
	return a, err
}
