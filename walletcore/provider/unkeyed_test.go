package provider_test

import (
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/walletcore/provider"
	"github.com/walletctl/walletctl/walletcore/signature"
)

const messageHeader = "X-Request-Id"

func listed(o *provider.ProfileOptions) {
	o.Unkeyed = &provider.Unkeyed{Until: now.Add(time.Hour), MessageIDHeader: messageHeader}
}

func named(brand, name string) func(*provider.ProfileOptions) {
	return func(o *provider.ProfileOptions) { o.Brand, o.Provider = brand, name }
}

// unkeyedCalls are, by dialect, a bet and a win without an id.
var unkeyedCalls = map[string]map[provider.Kind][2]string{
	"standard": {
		provider.Bet: {"bet", standardBody(`"amount":"1"`)},
		provider.Win: {"win", standardBody(`"amount":"1"`)},
	},
	"process": {
		provider.Bet: {"process", processBody(`{"action":"bet","amount":100}`)},
		provider.Win: {"process", processBody(`{"action":"win","action_id":null,"amount":100}`)},
	},
	"softswiss": {
		provider.Bet: {"betwin", softswissBody(`{"type":"bet","amount":"1"}`)},
		provider.Win: {"betwin", softswissBody(`{"type":"win","amount":"1"}`)},
	},
	"subunits": {
		provider.Bet: {"bet", subunitsBody(`"amount":100`)},
		provider.Win: {"win", subunitsBody(`"transaction_id":null,"amount":100`)},
	},
}

// message sends a signed body under the id of a message.
func (d *door) message(id string, call [2]string) (status int, answer string) {
	d.t.Helper()
	header := signed(d.dialect, call[1])
	if id != "" {
		header.Set(messageHeader, id)
	}
	return d.send(call[0], call[1], header)
}

func TestUnkeyed_AResendIsTheSameAndAnotherMessageIsNot(t *testing.T) {
	t.Parallel()
	for dialect, calls := range unkeyedCalls {
		for kind, call := range calls {
			d := newDoor(t, dialect, "100", listed)
			for _, id := range []string{"m-1", "m-1", "m-2", "M-1", "m-1"} {
				status, answer := d.message(id, call)
				require.Equal(t, 200, status, "%s %s: %s", dialect, kind, answer)
			}
			require.Len(t, d.wallet.entries, 3, "%s %s", dialect, kind)
			for _, r := range d.wallet.requests {
				require.Regexp(t, regexp.MustCompile(`^games:unkeyed:[0-9a-f]{64}$`), r.Actions[0].ID)
			}
			require.Equal(t, []provider.UnkeyedFate{
				provider.UnkeyedPosted, provider.UnkeyedReplayed, provider.UnkeyedPosted, provider.UnkeyedPosted, provider.UnkeyedReplayed,
			}, d.unkeyed)
		}
	}
}

// The key is over everything that makes a message another one.
func TestUnkeyed_ContentPlayerBrandAndProviderAreInTheKey(t *testing.T) {
	t.Parallel()
	keys := map[string]string{}
	add := func(what string, d *door, call [2]string) {
		status, answer := d.message("m-1", call)
		require.Equal(t, 200, status, answer)
		id := d.wallet.requests[len(d.wallet.requests)-1].Actions[0].ID
		_, digest, _ := strings.Cut(id, "unkeyed:")
		require.Empty(t, keys[digest], "%s and %s share a key", what, keys[digest])
		keys[digest] = what
	}
	call := unkeyedCalls["standard"][provider.Bet]
	d := newDoor(t, "standard", "100", listed)
	add("first", d, call)
	add("other amount", d, [2]string{"bet", standardBody(`"amount":"2"`)})
	add("a blank more", d, [2]string{"bet", call[1] + " "})
	add("other operation", d, [2]string{"win", call[1]})
	add("other provider", newDoor(t, "standard", "100", listed, named("acme", "more")), call)
	add("other brand", newDoor(t, "standard", "100", listed, named("zeta", "games")), call)
}

// Two bets of one message are two bets, beside others that have an id.
func TestUnkeyed_EachActionOfAMessageIsItsOwn(t *testing.T) {
	t.Parallel()
	d := newDoor(t, "process", "100", listed)
	bet := `{"action":"bet","amount":100}`
	for range 2 {
		status, answer := d.message("m-1", [2]string{"process", processBody(bet + "," + bet + `,{"action":"bet","action_id":"t","amount":100}`)})
		require.Equal(t, 200, status, answer)
		require.Regexp(t, `"balance":9700.*"action_id":"unkeyed:[0-9a-f]{64}".*"action_id":"unkeyed:.*"action_id":"t"`, answer)
	}
	require.Len(t, d.wallet.entries, 3)
	require.Len(t, d.unkeyed, 4, "a bet with its id is not counted")
}

func TestUnkeyed_IsRefusedByDefault(t *testing.T) {
	t.Parallel()
	for dialect, calls := range unkeyedCalls {
		for kind, call := range calls {
			d := newDoor(t, dialect, "100")
			status, answer := d.message("m-1", call)
			require.Equal(t, 400, status, "%s %s: %s", dialect, kind, answer)
			require.Contains(t, answer, "is missing")
			require.Empty(t, d.wallet.requests)
			require.Empty(t, d.unkeyed)
		}
	}
}

func TestUnkeyed_IsRefusedWithoutTheIDOfItsMessage(t *testing.T) {
	t.Parallel()
	for dialect, calls := range unkeyedCalls {
		call := calls[provider.Bet]
		d := newDoor(t, dialect, "100", listed)
		bad := [][]string{nil, {""}, {"  "}, {" m"}, {"a\x00b"}, {strings.Repeat("x", 256)}, {"m-1", "m-2"}, {"m-1", "m-1"}}
		for _, values := range bad {
			header := signed(dialect, call[1])
			header[messageHeader] = values
			status, answer := d.send(call[0], call[1], header)
			require.Equal(t, 400, status, "%s %q: %s", dialect, values, answer)
			require.Contains(t, answer, messageHeader)
		}
		require.Empty(t, d.wallet.requests)
		require.Len(t, d.unkeyed, len(bad))
		require.Equal(t, provider.UnkeyedUnnamed, d.unkeyed[0])
	}
}

// A blank id is no absent one, and what undoes something has to name it.
func TestUnkeyed_NothingElseMayBeMissing(t *testing.T) {
	t.Parallel()
	for dialect, calls := range map[string][][2]string{
		"standard": {
			{"bet", standardBody(`"transaction_id":"","amount":"1"`)},
			{"bet", standardBody(`"transaction_id":"  ","amount":"1"`)},
			{"refund", standardBody(`"amount":"1"`)},
			{"bet", `{"currency":"EUR","amount":"1"}`},
			{"bet", standardBody(``)},
		},
		"process": {
			{"process", processBody(`{"action":"bet","action_id":"","amount":1}`)},
			{"process", processBody(`{"action":"rollback","action_id":"r"}`)},
			{"process", processBody(`{"action":"rollback","original_action_id":"t"}`)},
		},
		"softswiss": {
			{"betwin", softswissBody(`{"id_provider":"","type":"bet","amount":"1"}`)},
			{"rollback", softswissBody(`{"id_provider":"r"}`)},
			{"rollback", softswissBody(`{"original_id_provider":"t"}`)},
		},
		"subunits": {
			{"bet", subunitsBody(`"transaction_id":" ","amount":1`)},
			{"refund", subunitsBody(`"transaction_id":"r"`)},
			{"refund", subunitsBody(`"refunded_transaction_id":"t"`)},
		},
	} {
		d := newDoor(t, dialect, "100", listed)
		for _, call := range calls {
			status, answer := d.message("m-1", call)
			require.Equal(t, 400, status, "%s %s: %s", dialect, call[1], answer)
		}
		require.Empty(t, d.wallet.requests, dialect)
	}
}

// No provider can give an id that stands for one which was not given, whether
// it is listed or not; a refund may name what it was told.
func TestUnkeyed_ItsFormIsNoProvidersToGive(t *testing.T) {
	t.Parallel()
	own := "unkeyed:" + strings.Repeat("0f", 32)
	for _, change := range []func(*provider.ProfileOptions){listed, func(*provider.ProfileOptions) {}} {
		d := newDoor(t, "standard", "100", change)
		for _, operation := range []string{"bet", "win"} {
			status, answer := d.message("m-1", [2]string{operation, standardBody(`"transaction_id":"` + own + `","amount":"1"`)})
			require.Equal(t, 400, status, answer)
		}
		require.Empty(t, d.wallet.requests)
		for _, id := range []string{own[:len(own)-1], "x" + own, strings.ToUpper(own)} {
			status, answer := d.message("m-1", [2]string{"bet", standardBody(`"transaction_id":"` + id + `","amount":"1"`)})
			require.Equal(t, 200, status, answer)
		}
	}
	d := newDoor(t, "standard", "100", listed)
	d.message("m-1", unkeyedCalls["standard"][provider.Bet])
	given := strings.TrimPrefix(d.wallet.requests[0].Actions[0].ID, "games:")
	status, answer := d.message("m-2", [2]string{"refund", standardBody(`"bet_id":"` + given + `"`)})
	require.Equal(t, 200, status, answer)
	require.Contains(t, answer, `"balance":"100.00000000"`)
}

func TestUnkeyed_AfterTheDeadlineOnlyAResendIsAnswered(t *testing.T) {
	t.Parallel()
	for dialect, calls := range unkeyedCalls {
		call := calls[provider.Bet]
		d := newDoor(t, dialect, "100", listed)
		_, first := d.message("m-1", call)
		d.now = now.Add(time.Hour)
		status, _ := d.message("m-2", call)
		require.GreaterOrEqual(t, status, 500, "its first call may still be under way")
		d.now = d.now.Add(time.Minute)
		status, answer := d.message("m-2", call)
		require.Equal(t, 400, status, answer)
		require.Contains(t, answer, "is missing")
		status, again := d.message("m-1", call)
		require.Equal(t, 200, status, again)
		require.Equal(t, first, strings.Replace(again, `"replayed":true`, `"replayed":false`, 1))
		require.Len(t, d.wallet.entries, 1)
		require.Equal(t, []provider.UnkeyedFate{provider.UnkeyedPosted, provider.UnkeyedExpired, provider.UnkeyedReplayed}, d.unkeyed)
		d.wallet.err = errOut
		status, answer = d.message("m-2", call)
		require.GreaterOrEqual(t, status, 500, "what cannot be looked up is not refused: %s", answer)
	}
}

func TestUnkeyed_NeedsADeadlineAndAHeader(t *testing.T) {
	t.Parallel()
	for _, u := range []provider.Unkeyed{
		{MessageIDHeader: messageHeader},
		{Until: now},
		{Until: now, MessageIDHeader: "X Request"},
		{Until: now, MessageIDHeader: "X-Request\r\n"},
		{Until: now, MessageIDHeader: strings.Repeat("x", 65)},
		{Until: now, MessageIDHeader: "x-signature"},
	} {
		_, err := provider.NewProfile(options("standard", func(o *provider.ProfileOptions) { o.Unkeyed = &u }))
		var refused *provider.ProfileError
		require.ErrorAs(t, err, &refused, fmt.Sprint(u))
		require.Equal(t, "unkeyed", refused.Field)
	}
	_, err := provider.NewProfile(options("standard", listed, func(o *provider.ProfileOptions) {
		o.Signature = &signature.Form{Header: http.CanonicalHeaderKey(messageHeader), Encoding: signature.Hex}
	}))
	require.ErrorContains(t, err, "must not take the signature")
}
