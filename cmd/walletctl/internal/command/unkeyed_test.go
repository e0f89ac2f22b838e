package command_test

import (
	"fmt"
	"strconv"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/walletctl/walletctl/walletcore"
	"github.com/walletctl/walletctl/walletcore/ledger"
	"github.com/walletctl/walletctl/walletcore/wallettest"
)

// cmdUnkeyed posts wins that came without an id: unkeyed BRAND PROVIDER
// NAMESPACE COUNT. The same again is the same messages again.
func cmdUnkeyed(ts *testscript.TestScript, _ bool, args []string) {
	t := testOf(ts)
	keys, err := walletcore.LoadKeyring(ts.Getenv("LEDGER_KEYS_FILE"))
	ts.Check(err)
	l, err := ledger.New(ledger.Options{Pool: databaseOf(ts).Pool(t, wallettest.Gaming), Keys: keys})
	ts.Check(err)
	count, err := strconv.Atoi(args[3])
	ts.Check(err)
	for n := range count {
		results, err := l.Post(t.Context(), []ledger.Request{{{
			Wallet: walletcore.WalletKey{Brand: args[0], User: "u-1", Currency: "EUR"}, Kind: walletcore.KindWin,
			ExternalID: fmt.Sprintf("%s:unkeyed:%064x", args[2], n), Amount: walletcore.MustParseMoney("1"),
			Actor: args[1], OccurredAt: time.Now(),
		}}})
		ts.Check(err)
		ts.Check(results[0].Err())
	}
}
