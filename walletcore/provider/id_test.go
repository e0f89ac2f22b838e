package provider_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// idFields are, by dialect, calls with one id left open.
var idFields = map[string]map[string][2]string{
	"standard": {
		"user":                      {"bet", `{"user":§,"currency":"EUR","transaction_id":"t","amount":"1"}`},
		"transaction_id":            {"bet", standardBody(`"transaction_id":§,"amount":"1"`)},
		"transaction_id of a win":   {"win", standardBody(`"transaction_id":§,"amount":"1"`)},
		"bet_id of a refund":        {"refund", standardBody(`"bet_id":§`)},
		"bet.transaction_id":        {"betwin", standardBody(`"bet":{"transaction_id":§,"amount":"1"},"win":{"transaction_id":"t","amount":"1"}`)},
		"win.transaction_id":        {"betwin", standardBody(`"win":{"transaction_id":§,"amount":"1"},"bet":{"transaction_id":"t","amount":"1"}`)},
		"optional bet_id":           {"win", standardBody(`"bet_id":§,"transaction_id":"t","amount":"1"`)},
		"optional round_id":         {"bet", standardBody(`"round_id":§,"transaction_id":"t","amount":"1"`)},
		"optional game_id":          {"bet", standardBody(`"game_id":§,"transaction_id":"t","amount":"1"`)},
		"optional id of the refund": {"refund", standardBody(`"transaction_id":§,"bet_id":"t"`)},
	},
	"process": {
		"user_id":            {"process", `{"user_id":§,"currency":"EUR","actions":[{"action":"bet","action_id":"t","amount":1}]}`},
		"action_id":          {"process", processBody(`{"action":"bet","action_id":§,"amount":1}`)},
		"second action_id":   {"process", processBody(`{"action":"bet","action_id":"t","amount":1},{"action":"win","action_id":§,"amount":1}`)},
		"original_action_id": {"process", processBody(`{"action":"rollback","action_id":"r","original_action_id":§}`)},
		"id of the rollback": {"process", processBody(`{"action":"rollback","action_id":§,"original_action_id":"t"}`)},
		"optional round_id":  {"process", `{"user_id":"u","currency":"EUR","round_id":§,"actions":[{"action":"bet","action_id":"t","amount":1}]}`},
	},
	"softswiss": {
		"account_id":           {"betwin", `{"account_id":§,"currency":"EUR","round_id":"r","transactions":[{"id_provider":"t","type":"bet","amount":"1"}]}`},
		"round_id":             {"betwin", `{"account_id":"u","currency":"EUR","round_id":§,"transactions":[{"id_provider":"t","type":"bet","amount":"1"}]}`},
		"id_provider":          {"betwin", softswissBody(`{"id_provider":§,"type":"bet","amount":"1"}`)},
		"original_id_provider": {"rollback", softswissBody(`{"id_provider":"r","original_id_provider":§}`)},
		"id of the rollback":   {"rollback", softswissBody(`{"id_provider":§,"original_id_provider":"t"}`)},
		"round_id of a finish": {"finish", `{"account_id":"u","currency":"EUR","round_id":§}`},
	},
	"subunits": {
		"player_id":               {"bet", `{"player_id":§,"currency_code":"EUR","transaction_id":"t","amount":1}`},
		"transaction_id":          {"bet", subunitsBody(`"transaction_id":§,"amount":1`)},
		"transaction_id of a win": {"win", subunitsBody(`"transaction_id":§,"amount":1`)},
		"refunded_transaction_id": {"refund", subunitsBody(`"transaction_id":"r","refunded_transaction_id":§`)},
		"id of the refund":        {"refund", subunitsBody(`"transaction_id":§,"refunded_transaction_id":"t"`)},
		"optional round_id":       {"bet", subunitsBody(`"round_id":§,"transaction_id":"t","amount":1`)},
	},
}

// What cannot be an id is a final answer wherever an id stands: a 500 would be
// sent again for ever, and block the round.
func TestHandler_WhatCannotBeAnIDIsFinalInEveryField(t *testing.T) {
	t.Parallel()
	never := []string{
		`"a\u0000b"`, `"\u001b[31m"`, `"a\u007f"`, `"a\u0085"`, `""`, `"   "`, `"\u00a0"`, `" a"`, `"a\t"`, `"a\u2003"`, `1.5`, `1e3`,
		`-0`, `true`, `{}`, `[]`, `["a"]`, `"\ud800"`, `"` + strings.Repeat("x", 5000) + `"`, `"` + strings.Repeat("é", 128) + `"`,
		strings.Repeat("9", 256),
	}
	for dialect, fields := range idFields {
		for field, call := range fields {
			bad := never
			if !strings.HasPrefix(field, "optional") {
				bad = append([]string{`null`}, never...)
			}
			d := newDoor(t, dialect, "1000")
			for _, id := range bad {
				body := strings.Replace(call[1], "§", id, 1)
				status, answer := d.send(call[0], body, signed(dialect, body))
				require.Equal(t, 400, status, "%s %s %.40s: %s", dialect, field, id, answer)
				require.Less(t, len(answer), 500, "what was sent is not sent back")
			}
			require.Empty(t, d.wallet.requests, "%s %s", dialect, field)
			for _, id := range []string{`"x"`, `0`, `-1`, strings.Repeat("9", 255), `"` + strings.Repeat("é", 127) + `x"`} {
				body := strings.Replace(call[1], "§", id, 1)
				status, answer := d.send(call[0], body, signed(dialect, body))
				require.NotEqual(t, 400, status, "%s %s %.40s: %s", dialect, field, id, answer)
			}
		}
	}
}

// An id that is left out is no empty one that escapes the key.
func TestHandler_AnAbsentIDIsFinal(t *testing.T) {
	t.Parallel()
	for dialect, fields := range idFields {
		for field, call := range fields {
			if strings.HasPrefix(field, "optional") {
				continue
			}
			at := strings.Index(call[1], "§")
			name := strings.LastIndex(call[1][:at], `"`)
			name = strings.LastIndex(call[1][:name], `"`)
			body := call[1][:name] + `"nothing":` + strings.Replace(call[1][at:], "§", `1`, 1)
			d := newDoor(t, dialect, "1000")
			status, answer := d.send(call[0], body, signed(dialect, body))
			require.Equal(t, 400, status, "%s %s: %s", dialect, field, answer)
			require.Empty(t, d.wallet.requests)
		}
	}
}
