package command_test

import (
	"context"
	"regexp"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/walletctl/walletctl/adjust"
	"github.com/walletctl/walletctl/walletcore"
	"github.com/walletctl/walletctl/walletcore/ledger"
	"github.com/walletctl/walletctl/walletcore/wallettest"
)

// cmdLogin makes a personal login and sets a variable to its URL: login
// VARIABLE NAME ROLE...
func cmdLogin(ts *testscript.TestScript, _ bool, args []string) {
	t := testOf(ts)
	ts.Setenv(args[0], databaseOf(ts).URLOf(t, wallettest.NewPerson(t, args[1], args[2:]...)))
}

// cmdKeepID sets a variable to the first adjustment that stdout names: keepid
// VARIABLE.
func cmdKeepID(ts *testscript.TestScript, _ bool, args []string) {
	id := regexp.MustCompile(`adj_[0-9a-f]{32}`).FindString(ts.ReadFile("stdout"))
	if id == "" {
		ts.Fatalf("stdout names no adjustment")
	}
	ts.Setenv(args[0], id)
}

func posterOf(ts *testscript.TestScript) *adjust.Poster {
	t := testOf(ts)
	keys, err := walletcore.LoadKeyring(ts.Getenv("LEDGER_KEYS_FILE"))
	ts.Check(err)
	pool := databaseOf(ts).Pool(t, wallettest.Gaming)
	l, err := ledger.New(ledger.Options{Pool: pool, Keys: keys})
	ts.Check(err)
	poster, err := adjust.NewPoster(adjust.PosterOptions{Pool: pool, Ledger: l, Interval: 50 * time.Millisecond, Client: "gaming test"})
	ts.Check(err)
	return poster
}

// cmdPoster posts what is approved, as gaming does, until the script ends.
func cmdPoster(ts *testscript.TestScript, _ bool, _ []string) {
	poster := posterOf(ts)
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = poster.Run(ctx)
	}()
	ts.Defer(func() {
		stop()
		<-ended
	})
}

// cmdSweep posts once what is approved.
func cmdSweep(ts *testscript.TestScript, _ bool, _ []string) {
	_, err := posterOf(ts).Sweep(testOf(ts).Context())
	ts.Check(err)
}
