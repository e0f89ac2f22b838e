package command_test

import (
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/walletctl/walletctl/walletcore"
	"github.com/walletctl/walletctl/walletcore/ledger"
	"github.com/walletctl/walletctl/walletcore/wallettest"
)

// cmdSeed credits deposits through the ledger: seed BRAND USER CURRENCY
// DEPOSIT=AMOUNT...
func cmdSeed(ts *testscript.TestScript, _ bool, args []string) {
	t := testOf(ts)
	keys, err := walletcore.LoadKeyring(ts.Getenv("LEDGER_KEYS_FILE"))
	ts.Check(err)
	l, err := ledger.New(ledger.Options{Pool: databaseOf(ts).Pool(t, wallettest.Gaming), Keys: keys})
	ts.Check(err)
	for _, pair := range args[3:] {
		id, amount := cut(ts, pair)
		_, err := l.CreditDeposit(t.Context(), walletcore.DepositCredit{
			DepositID:  id,
			Wallet:     walletcore.WalletKey{Brand: args[0], User: args[1], Currency: args[2]},
			Amount:     walletcore.MustParseMoney(amount),
			OccurredAt: time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC),
		})
		ts.Check(err)
	}
}

func cut(ts *testscript.TestScript, pair string) (id, amount string) {
	for i := range pair {
		if pair[i] == '=' {
			return pair[:i], pair[i+1:]
		}
	}
	ts.Fatalf("%q is not DEPOSIT=AMOUNT", pair)
	return "", ""
}
