package provider_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/walletcore/provider"
)

func standardBody(rest string) string { return `{"user":"u-1","currency":"EUR",` + rest + `}` }

func TestStandard_Contract(t *testing.T) {
	t.Parallel()
	d := newDoor(t, "standard", "100")
	d.want("balance", `{"user":"u-1","currency":"EUR"}`, 200, `{"balance":"100.00000000","currency":"EUR"}`)

	bet := standardBody(`"transaction_id":"b1","amount":"10","round_id":"r","game_id":"dice"`)
	d.want("bet", bet, 200, `{"balance":"90.00000000","currency":"EUR","transactions":[`+
		`{"transaction_id":"b1","receipt_id":"§1","status":"applied","replayed":false}]}`)
	d.want("win", standardBody(`"transaction_id":"b1","amount":"2.5","bet_id":"b1"`), 200, `{"balance":"92.50000000","currency":"EUR","transactions":[`+
		`{"transaction_id":"b1","receipt_id":"§2","status":"applied","replayed":false}]}`)
	// A duplicate: the balance of the first time.
	d.want("bet", bet, 200, `{"balance":"90.00000000","currency":"EUR","transactions":[`+
		`{"transaction_id":"b1","receipt_id":"§1","status":"applied","replayed":true}]}`)
	d.want("bet", standardBody(`"transaction_id":"b1","amount":"10.5"`), 409,
		`{"error":{"code":"conflict","field":"amount","message":"this id exists with another amount"},"balance":"92.50000000","currency":"EUR"}`)
	d.want("bet", standardBody(`"transaction_id":"b2","amount":"1000"`), 402,
		`{"error":{"code":"insufficient_funds","message":"the balance does not cover it"},"balance":"92.50000000","currency":"EUR"}`)

	d.want("refund", standardBody(`"bet_id":"late","transaction_id":"r1"`), 200, `{"balance":"92.50000000","currency":"EUR","transactions":[`+
		`{"transaction_id":"r1","receipt_id":"§3","status":"tombstone","replayed":false}]}`)
	d.want("bet", standardBody(`"transaction_id":"late","amount":"1"`), 409,
		`{"error":{"code":"rolled_back","message":"it was rolled back before"},"balance":"92.50000000","currency":"EUR"}`)
	d.want("betwin", standardBody(`"round_id":"r2","bet":{"transaction_id":"b3","amount":"1"},"win":{"transaction_id":"b3","amount":"0.00000000000000000000000"}`),
		200, `{"balance":"91.50000000","currency":"EUR","transactions":[`+
			`{"transaction_id":"b3","receipt_id":"§5","status":"applied","replayed":false},`+
			`{"transaction_id":"b3","receipt_id":"§6","status":"applied","replayed":false}]}`)
	require.Equal(t, []string{"games:b1"}, d.wallet.requests[1].Actions[0].Bets)
}

func TestStandard_RefusesWhatCouldBeReadAsAnotherAmount(t *testing.T) {
	t.Parallel()
	d := newDoor(t, "standard", "100")
	for amount, reason := range map[string]string{
		`"-25"`:          "must not be negative",
		`"1e2"`:          "is not a plain decimal number such as 12.50",
		`"1E1000000000"`: "is not a plain decimal number such as 12.50",
		`"0.000000001"`:  "has more than 8 decimal places",
		`"99999999999"`:  "is out of range: at most 10 digits before the point",
		`10`:             `must be a decimal string such as \"12.50\"`,
		`10.5`:           `must be a decimal string such as \"12.50\"`,
		`null`:           "is missing",
		`"--1"`:          "has more than one sign",
	} {
		d.want("bet", standardBody(`"transaction_id":"b","amount":`+amount), 400,
			`{"error":{"code":"bad_request","field":"amount","message":"amount `+reason+`"}}`)
	}
	require.Empty(t, d.wallet.requests)
}

func TestStandard_RefusesFieldsThatItDoesNotHave(t *testing.T) {
	t.Parallel()
	d := newDoor(t, "standard", "100")
	d.want("bet", standardBody(`"transaction_id":"b","amount":"1","round":"r"`), 400,
		`{"error":{"code":"bad_request","field":"round","message":"round is not a field of this request"}}`)
	d.want("jackpot", `{}`, 404, `{"error":{"code":"unknown_operation","message":"there is no such operation"}}`)
}

// Every field of the served document is one that is read, and every operation
// stands in it.
func TestOpenAPI_DescribesWhatIsServed(t *testing.T) {
	t.Parallel()
	d := newDoor(t, "standard", "100")
	w := httptest.NewRecorder()
	d.mux.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/providers/openapi.json", nil))
	require.Equal(t, 200, w.Code)
	var document struct {
		Paths      map[string]any `json:"paths"`
		Components struct {
			Schemas map[string]struct {
				Properties map[string]any `json:"properties"`
			} `json:"schemas"`
		} `json:"components"`
	}
	require.NoError(t, json.Unmarshal(w.Body.Bytes(), &document))
	requests := map[string]string{
		"balance": "BalanceRequest", "bet": "BetRequest", "win": "WinRequest", "refund": "RefundRequest", "betwin": "BetWinRequest",
	}
	require.Len(t, document.Paths, len(requests))
	part := map[string]any{"transaction_id": "t", "amount": "1"}
	for operation, schema := range requests {
		require.Contains(t, document.Paths, "/providers/{brand}/{provider}/"+operation)
		fields := map[string]any{}
		for name := range document.Components.Schemas[schema].Properties {
			fields[name] = map[string]any{"currency": "EUR", "amount": "1", "bet": part, "win": part}[name]
			if fields[name] == nil {
				fields[name] = "t-" + operation
			}
		}
		body, err := json.Marshal(fields)
		require.NoError(t, err)
		status, answer := d.send(operation, string(body), signed("standard", string(body)))
		require.NotEqual(t, 400, status, "%s: %s", operation, answer)
	}
}

func TestProfile_MayAnswerInOtherWords(t *testing.T) {
	t.Parallel()
	d := newDoor(t, "standard", "100", func(o *provider.ProfileOptions) {
		o.Codes = map[provider.Reason]provider.Code{provider.NoFunds: {Status: 200, Code: "12"}}
		o.Policy.DuplicateBalance, o.Policy.LateBet, o.Policy.UnknownRollback = provider.Current, provider.Accepted, provider.Refused
	})
	d.want("bet", standardBody(`"transaction_id":"b2","amount":"1000"`), 200,
		`{"error":{"code":"12","message":"the balance does not cover it"},"balance":"100.00000000","currency":"EUR"}`)
	bet := func(replayed string) string {
		return `{"transaction_id":"b1","receipt_id":"§1","status":"applied","replayed":` + replayed + `}]}`
	}
	body := standardBody(`"transaction_id":"b1","amount":"10"`)
	d.want("bet", body, 200, `{"balance":"90.00000000","currency":"EUR","transactions":[`+bet("false"))
	d.want("bet", standardBody(`"transaction_id":"b2","amount":"20"`), 200,
		`{"balance":"70.00000000","currency":"EUR","transactions":[{"transaction_id":"b2","receipt_id":"§2","status":"applied","replayed":false}]}`)
	d.want("bet", body, 200, `{"balance":"70.00000000","currency":"EUR","transactions":[`+bet("true"))
	for range 2 {
		d.want("refund", standardBody(`"bet_id":"late"`), 404,
			`{"error":{"code":"unknown_transaction","message":"there is nothing under this id that could be rolled back"},"balance":"70.00000000","currency":"EUR"}`)
	}
	d.want("bet", standardBody(`"transaction_id":"late","amount":"1"`), 200,
		`{"balance":"70.00000000","currency":"EUR","transactions":[{"transaction_id":"late","receipt_id":"§4","status":"void","replayed":false}]}`)
}
