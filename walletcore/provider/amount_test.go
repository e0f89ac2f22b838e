package provider_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/walletcore"
	"github.com/walletctl/walletctl/walletcore/provider"
	"github.com/walletctl/walletctl/walletcore/wallettest"
)

// withAmount are the calls of each dialect that carry an amount, which is JSON.
func withAmount(dialect, kind, amount string) (operation, body string) {
	switch dialect {
	case "standard":
		return kind, standardBody(`"transaction_id":"t","amount":` + amount)
	case "process":
		return "process", processBody(`{"action":"` + kind + `","action_id":"t","amount":` + amount + `}`)
	case "softswiss":
		return "betwin", softswissBody(`{"id_provider":"t","type":"` + kind + `","amount":` + amount + `}`)
	}
	return kind, subunitsBody(`"transaction_id":"t","amount":` + amount)
}

// quoted: dialects in the main unit write amounts as strings.
func quoted(dialect, amount string) string {
	if dialect == "standard" || dialect == "softswiss" {
		return `"` + amount + `"`
	}
	return amount
}

func TestHandler_AnAmountThatCannotBeIsFinal(t *testing.T) {
	t.Parallel()
	for _, dialect := range provider.DialectNames() {
		amounts := []string{
			"-25", "-1", "--1", "1e2", "1E1000000000", "1e-400000000", "0.000000001", "99999999999999999999", "NaN", "Infinity", "-Infinity",
			"+-1", "1,5", "1 0", "0x10", "12.345678901", "\u0661", "1.", ".5",
		}
		texts := []string{`null`, `{}`, `[]`, `[1]`, `true`, `""`, `" "`, `"a"`, `{"amount":"1"}`, `1.5`, `1e2`, `1E1000000000`, `-0`}
		for _, amount := range amounts {
			texts = append(texts, quoted(dialect, amount))
		}
		for _, kind := range []string{"bet", "win"} {
			for _, text := range texts {
				d := newDoor(t, dialect, "1000")
				operation, body := withAmount(dialect, kind, text)
				status, answer := d.send(operation, body, signed(dialect, body))
				require.Equal(t, 400, status, "%s %s %s: %s", dialect, kind, text, answer)
				require.Empty(t, d.wallet.requests)
			}
		}
	}
}

// A zero may have as many places as its provider likes.
func TestHandler_AWinOfZeroIsAWin(t *testing.T) {
	t.Parallel()
	for _, dialect := range provider.DialectNames() {
		for _, zero := range []string{"0", "0.00000000000000000000000"} {
			if quoted(dialect, zero) == zero && zero != "0" {
				continue // in subunits a fraction is none
			}
			d := newDoor(t, dialect, "1000")
			operation, body := withAmount(dialect, "win", quoted(dialect, zero))
			status, answer := d.send(operation, body, signed(dialect, body))
			require.Equal(t, 200, status, answer)
			require.True(t, d.wallet.requests[0].Actions[0].Amount.IsZero())
		}
	}
}

// A negative amount in what undoes a bet is not used: the movement that is
// undone has the amount.
func TestHandler_ASignTurnsNoRefund(t *testing.T) {
	t.Parallel()
	for dialect, call := range map[string][2]string{
		"standard":  {"refund", standardBody(`"bet_id":"t","amount":"-1"`)},
		"process":   {"process", processBody(`{"action":"rollback","action_id":"r","original_action_id":"t","amount":-100}`)},
		"softswiss": {"rollback", softswissBody(`{"id_provider":"r","original_id_provider":"t","amount":"-1"}`)},
		"subunits":  {"refund", subunitsBody(`"transaction_id":"r","refunded_transaction_id":"t","amount":-100`)},
	} {
		d := newDoor(t, dialect, "1000")
		d.send(call[0], call[1], signed(dialect, call[1]))
		require.Len(t, d.wallet.requests, 1, dialect)
		require.Equal(t, walletcore.Money{}, d.wallet.requests[0].Actions[0].Amount, dialect)
	}
}

// Whatever stands where an amount should, its call is refused at once and costs
// little more than its own bytes, which a slow machine takes its time for. Not
// in parallel: it reads the memory of the process.
func TestHandler_NoAmountIsABomb(t *testing.T) {
	const patience, memory = 50 * time.Millisecond, 64 << 20
	for _, dialect := range provider.DialectNames() {
		for title, amount := range map[string]string{
			"exponent":          "1E1000000000",
			"negative exponent": "1e-400000000",
			"many digits":       strings.Repeat("9", 200_000),
			"many zeros":        "0." + strings.Repeat("0", 200_000) + "1",
			"ten megabytes":     strings.Repeat("9", 10<<20),
		} {
			d := newDoor(t, dialect, "1000")
			operation, body := withAmount(dialect, "bet", quoted(dialect, amount))
			header := signed(dialect, body)
			status := 0
			took, cost := wallettest.Cost(func() { status, _ = d.send(operation, body, header) })
			harmless := `{"note":"` + strings.Repeat("9", min(len(body), 200_000)) + `"}`
			signature := signed(dialect, harmless)
			plain, _ := wallettest.Cost(func() { d.send(operation, harmless, signature) })
			require.Contains(t, []int{400, 413}, status, "%s, %s", dialect, title)
			require.Less(t, took, patience+10*plain, "%s, %s", dialect, title)
			require.Less(t, cost, uint64(memory), "%s, %s", dialect, title)
			require.Empty(t, d.wallet.requests)
		}
	}
}
