package simulator

import (
	"strconv"

	"github.com/walletctl/walletctl/walletcore/provider"
	"github.com/walletctl/walletctl/walletcore/signature"
	"github.com/walletctl/walletctl/walletcore/strictjson"
)

// subunits sends one movement a call, in integers; a refund tells a negative
// amount, if any, and a session's token comes back.
type subunits struct{}

func (subunits) traits() traits {
	codes := map[provider.Reason]provider.Code{}
	for reason, code := range map[provider.Reason]int{ // the HTTP statuses are the codes
		provider.BadSignature: 403, provider.ConflictingID: 400, provider.UnknownTransaction: 406,
		provider.RolledBack: 408, provider.NoFunds: 402, provider.OtherRefusal: 408,
	} {
		codes[reason] = provider.Code{Status: code, Code: strconv.Itoa(code)}
	}
	return traits{
		signature: signature.Form{Header: "X-REQUEST-SIGN", Encoding: signature.Hex},
		codes:     codes, balanceOn: never,
	}
}

type subunitsBody struct {
	PlayerID              jsonID `json:"player_id"`
	CurrencyCode          string `json:"currency_code"`
	Token                 string `json:"token"`
	RoundID               jsonID `json:"round_id,omitempty"`
	TransactionID         jsonID `json:"transaction_id,omitempty"`
	RefundedTransactionID jsonID `json:"refunded_transaction_id,omitempty"`
	Amount                *int64 `json:"amount,omitempty"`
}

func newSubunitsBody(w wallet, round string) subunitsBody {
	return subunitsBody{PlayerID: jsonID(w.user), CurrencyCode: w.currency, Token: subunitsToken(w), RoundID: jsonID(round)}
}

func subunitsToken(w wallet) string { return "token of " + w.user }

func (subunits) look(w wallet, round string) message {
	return message{"balance", newSubunitsBody(w, round)}
}

func (subunits) play(w wallet, call *Call) message {
	a, body := &call.Actions[0], newSubunitsBody(w, call.Round)
	units := w.count(a.Amount)
	body.TransactionID = jsonID(a.ID)
	if a.Kind != provider.Rollback {
		body.Amount = &units
		return message{string(a.Kind), body}
	}
	body.RefundedTransactionID = jsonID(a.Undoes)
	if units = -units; units != 0 {
		body.Amount = &units
	}
	return message{"refund", body}
}

func (subunits) read(w wallet, call *Call, body strictjson.Object, success bool) (a answer, err error) {
	if !success {
		a.code, err = text(body, "code")
		return a, err
	}
	if a.balance, err = w.units(body, "balance"); err != nil {
		return a, err
	}
	if token, _, err := body.Text("token"); err != nil || token != subunitsToken(w) {
		return a, body.Fault("token", "is not the one that was sent")
	}
	if len(call.Actions) == 0 {
		return a, nil
	}
	id, err := text(body, "transaction_id")
	a.ids = []string{id}
	return a, err
}
