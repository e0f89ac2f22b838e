package simulator

import (
	"github.com/walletctl/walletctl/walletcore"
	"github.com/walletctl/walletctl/walletcore/provider"
	"github.com/walletctl/walletctl/walletcore/signature"
	"github.com/walletctl/walletctl/walletcore/strictjson"
)

// softswiss sends lists of bets and wins, and lists of rollbacks, in decimals.
type softswiss struct{}

func (softswiss) traits() traits {
	return traits{
		signature: signature.Form{Header: "X-REQUEST-SIGN", Encoding: signature.Hex},
		codes: map[provider.Reason]provider.Code{
			provider.BadSignature: {Status: 400, Code: "403"}, provider.ConflictingID: {Status: 400, Code: "400"},
			provider.UnknownTransaction: {Status: 400, Code: "404"}, provider.RolledBack: {Status: 400, Code: "409"},
			provider.NoFunds: {Status: 400, Code: "100"}, provider.OtherRefusal: {Status: 400, Code: "400"},
		},
		pairs: true, lists: true, rollbacks: true,
		balanceOn: func(reason provider.Reason) bool { return reason == provider.NoFunds },
	}
}

type softswissBody struct {
	AccountID       jsonID                 `json:"account_id"`
	Currency        string                 `json:"currency"`
	RoundID         jsonID                 `json:"round_id,omitempty"`
	RoundIDProvider jsonID                 `json:"round_id_provider,omitempty"` // of a rollback
	Transactions    []softswissTransaction `json:"transactions,omitempty"`
}

type softswissTransaction struct {
	IDProvider         jsonID            `json:"id_provider"`
	OriginalIDProvider jsonID            `json:"original_id_provider,omitempty"`
	Type               provider.Kind     `json:"type"`
	Amount             *walletcore.Money `json:"amount,omitempty"`
}

func (softswiss) look(w wallet, round string) message {
	body := softswissBody{AccountID: jsonID(w.user), Currency: w.currency, RoundID: jsonID(round)}
	if round == "" {
		return message{"balance", body}
	}
	return message{"finish", body}
}

func (softswiss) play(w wallet, call *Call) message {
	body := softswissBody{AccountID: jsonID(w.user), Currency: w.currency}
	for _, a := range call.Actions {
		transaction := softswissTransaction{IDProvider: jsonID(a.ID), OriginalIDProvider: jsonID(a.Undoes), Type: a.Kind}
		if a.Kind != provider.Rollback {
			transaction.Amount = &a.Amount
		}
		body.Transactions = append(body.Transactions, transaction)
	}
	if call.Actions[0].Kind == provider.Rollback {
		body.RoundIDProvider = jsonID(call.Round)
		return message{"rollback", body}
	}
	body.RoundID = jsonID(call.Round)
	return message{"betwin", body}
}

func (softswiss) read(_ wallet, call *Call, body strictjson.Object, success bool) (a answer, err error) {
	if success {
		if a.balance, err = decimal(body, "balance"); err != nil {
			return a, err
		}
		a.ids, err = transactions(body, call, "id_provider", "id")
		return a, err
	}
	meta, ok, err := body.Object("meta")
	if err != nil || !ok {
		return a, body.Fault("meta", "is missing")
	}
	if a.balance, err = decimal(meta, "balance"); err != nil {
		return a, err
	}
	a.code, err = text(meta, "api_code")
	return a, err
}
