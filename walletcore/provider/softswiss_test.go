package provider_test

import "testing"

func softswissBody(transactions string) string {
	return `{"account_id":"u-1","currency":"EUR","game_id":"dice","round_id":"r","round_id_provider":"r","session_id":"expired","finished":false,"transactions":[` + transactions + `]}`
}

func TestSoftswiss_Contract(t *testing.T) {
	t.Parallel()
	d := newDoor(t, "softswiss", "100")
	d.want("balance", `{"account_id":"u-1","currency":"EUR"}`, 200, `{"balance":"100.00000000"}`)
	d.want("finish", `{"account_id":"u-1","currency":"EUR","round_id":"r"}`, 200, `{"balance":"100.00000000","round_id":"r"}`)

	betwin := softswissBody(`{"id_provider":"x1","type":"bet","amount":"5.00"},{"id_provider":"x2","type":"win","amount":"0.90"}`)
	first := `{"balance":"95.90000000","round_id":"r","transactions":[` +
		`{"id_provider":"x1","id":"§1","bonus_amount":"0.00000000"},{"id_provider":"x2","id":"§2","bonus_amount":"0.00000000"}]}`
	d.want("betwin", betwin, 200, first)
	d.want("betwin", softswissBody(`{"id_provider":"x3","type":"bet","amount":"1"}`), 200,
		`{"balance":"94.90000000","round_id":"r","transactions":[{"id_provider":"x3","id":"§3","bonus_amount":"0.00000000"}]}`)
	d.want("betwin", betwin, 200, first)

	rollback := softswissBody(`{"id_provider":"k","type":"rollback","original_id_provider":"x4"}`)
	for range 2 {
		d.want("rollback", rollback, 200, `{"balance":"94.90000000","round_id":"r","transactions":[{"id_provider":"k","id":"§4"}]}`)
	}
	d.want("betwin", softswissBody(`{"id_provider":"x4","type":"bet","amount":"5"}`), 400,
		`{"code":"invalid_argument","msg":"it was rolled back before","meta":{"api_code":"409","api_message":"it was rolled back before"}}`)
	d.want("betwin", softswissBody(`{"id_provider":"x6","type":"bet","amount":"500"}`), 400,
		`{"code":"invalid_argument","msg":"the balance does not cover it","meta":{"api_code":"100","api_message":"the balance does not cover it","balance":"94.90000000"}}`)
	d.want("betwin", softswissBody(`{"id_provider":"x1","type":"bet","amount":"5.01"}`), 400,
		`{"code":"invalid_argument","msg":"this id exists with another amount","meta":{"api_code":"400","api_message":"this id exists with another amount"}}`)
	d.want("betwin", softswissBody(`{"id_provider":"x7","type":"bet","amount":"1E2000000000"}`), 400,
		`{"code":"invalid_argument","msg":"transactions[].amount is not a plain decimal number such as 12.50","meta":{"api_code":"400","api_message":"transactions[].amount is not a plain decimal number such as 12.50"}}`)
	d.want("jackpot", softswissBody(``), 400,
		`{"code":"invalid_argument","msg":"there is no such operation","meta":{"api_code":"404","api_message":"there is no such operation"}}`)
	d.wallet.err = errOut
	d.want("betwin", betwin, 500, `{"code":"internal","msg":"it could not be done now, or its outcome is unknown; send the same call again",`+
		`"meta":{"api_code":"503","api_message":"it could not be done now, or its outcome is unknown; send the same call again"}}`)
}
