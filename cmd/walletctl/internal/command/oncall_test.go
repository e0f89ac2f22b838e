package command_test

import (
	"context"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/walletctl/walletctl/walletcore"
	"github.com/walletctl/walletctl/walletcore/deposit"
	"github.com/walletctl/walletctl/walletcore/job"
	"github.com/walletctl/walletctl/walletcore/ledger"
	"github.com/walletctl/walletctl/walletcore/wallettest"
)

// cmdCasino has casino's jobs worked, by the real ledger, until the script ends.
func cmdCasino(ts *testscript.TestScript, _ bool, _ []string) {
	t := testOf(ts)
	keys, err := walletcore.LoadKeyring(ts.Getenv("LEDGER_KEYS_FILE"))
	ts.Check(err)
	l, err := ledger.New(ledger.Options{Pool: databaseOf(ts).Pool(t, wallettest.Gaming), Keys: keys})
	ts.Check(err)
	pool := databaseOf(ts).Pool(t, wallettest.Casino)
	queue, err := job.New(job.Options{Pool: pool, RetryBase: time.Millisecond, PollInterval: 20 * time.Millisecond})
	ts.Check(err)
	_, err = deposit.NewService(deposit.Options{Queue: queue, Pool: pool, Wallet: l, EffectNames: []string{}})
	ts.Check(err)
	ts.Check(queue.Start(context.Background()))
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
		defer cancel()
		_ = queue.Stop(ctx)
	})
}
