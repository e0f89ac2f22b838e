package command

import (
	"context"
	"errors"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/walletctl/walletctl/backfill"
	"github.com/walletctl/walletctl/cmd/internal/hint"
	"github.com/walletctl/walletctl/cmd/internal/version"
	"github.com/walletctl/walletctl/cmd/walletctl/internal/output"
	"github.com/walletctl/walletctl/walletcore"
)

// openingConns: one holds the lock of the run, the other takes the steps.
const openingConns = 2

// brandOpening is one command line of backfill open.
type brandOpening struct {
	brand          string
	balances       []string
	mapping        string
	query          string
	live           bool
	expect         expectations
	allowDebt      bool
	asOf           when
	horizon        time.Duration
	withoutHistory string
	note           string
	confirm        string
	dryRun         bool
	format         *output.Choice
}

func newBackfillOpenCmd(f *factory) *cobra.Command {
	b := &brandOpening{asOf: when{now: f.now}, format: output.NewChoice()}
	cmd := &cobra.Command{
		Use:   "open [BRAND]",
		Short: "List brands and their states; bring a brand's balances in; take it live",
		Long: `List brands and their states; bring a brand's balances in; take it live.

A brand is closed, importing or live, and only goes forward. Movements of a brand
that is not live are told to come again later. Without a brand all are listed, and
with nothing else the brand is shown.

Balances come from files of any mapping with user, currency and real (and bonus),
a row a wallet, or from a query on LEGACY_DATABASE_URL with the columns user,
currency, real and bonus. The source is read twice: what it holds is shown and
confirmed before the first wallet comes in. A wallet that is in with the same
balance is passed over, so that the same command goes on after an end of any
kind; one that is in with another is refused, and the others go on: exit code 3.

--live takes the brand live for good, once it holds exactly what its source holds,
or what --expect says, and the history that providers may send again is in.`,
		Example: `  walletctl backfill open acme --balances balances.csv --mapping balances.yaml --dry-run
  walletctl backfill open acme --balances balances.csv --mapping balances.yaml
  walletctl backfill open acme --live --expect EUR=1234567.89/4200.00/100000
  walletctl backfill open newbrand --live`,
		Args: args(b.check),
		RunE: func(cmd *cobra.Command, given []string) error { return b.run(cmd.Context(), f, given) },
	}
	b.addFlags(cmd)
	return cmd
}

func (b *brandOpening) addFlags(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringArrayVar(&b.balances, "balances", nil, "a `file` or directory of balances; again for more")
	flags.StringVar(&b.mapping, "mapping", "", "how it is written: a file, or the name of a ready mapping")
	flags.StringVar(&b.query, "from-query", "", "a query on LEGACY_DATABASE_URL instead of files")
	flags.BoolVar(&b.live, "live", false, "take the brand live when its balances are in")
	flags.Var(&b.expect, "expect", "what it must hold: "+expectUsage+"; again for each currency")
	flags.BoolVar(&b.allowDebt, "allow-debt", false, "take real balances below zero as debts")
	flags.Var(&b.asOf, "as-of", "when the balances were taken: "+whenUsage)
	flags.DurationVar(&b.horizon, "horizon", backfill.DefaultHorizon, "how far back providers send again")
	flags.StringVar(&b.withoutHistory, "without-history", "", "go live without that history: why")
	flags.StringVar(&b.note, "note", "", "kept with the step")
	flags.StringVar(&b.confirm, "confirm", "", "the text, as it would be typed")
	flags.BoolVar(&b.dryRun, "dry-run", false, "show what would come in, and write nothing")
	addOutput(cmd, b.format)
}

func (b *brandOpening) check(cmd *cobra.Command, given []string) error {
	if err := cobra.MaximumNArgs(1)(cmd, given); err != nil {
		return err
	}
	switch {
	case len(given) == 0 && cmd.Flags().NFlag() > len(chosen(cmd, "output", "config")):
		return errors.New("name the brand")
	case len(b.balances) > 0 && b.query != "":
		return errors.New("give --balances or --from-query, not both")
	case (len(b.balances) > 0) != (b.mapping != ""):
		return errors.New("--balances and --mapping belong together")
	case !b.live && (b.withoutHistory != "" || cmd.Flags().Changed("horizon")):
		return errors.New("--without-history and --horizon belong to --live")
	case len(b.expect) > 0 && !b.live && !b.hasSource():
		return errors.New("--expect belongs to --live, --balances or --from-query")
	case cmd.Flags().Changed("without-history") && strings.TrimSpace(b.withoutHistory) == "":
		return errors.New("--without-history must say why")
	case b.horizon < 0:
		return errors.New("--horizon cannot be negative")
	}
	if len(given) == 0 {
		return nil
	}
	b.brand = given[0]
	return walletcore.CheckID("brand", b.brand, walletcore.MaxName)
}

func (b *brandOpening) hasSource() bool { return len(b.balances) > 0 || b.query != "" }

func (b *brandOpening) run(ctx context.Context, f *factory, given []string) error {
	s, err := f.settings()
	if err != nil {
		return err
	}
	pool, err := f.open(ctx, s, "GAMING_DATABASE_URL", s.GamingURL, openingConns)
	if err != nil {
		return err
	}
	defer pool.Close()
	if len(given) == 0 || (!b.hasSource() && !b.live) {
		return b.list(ctx, f, pool)
	}
	keys, err := openingKeys(s)
	if err != nil {
		return err
	}
	host, _ := os.Hostname()
	bar := &openingProgress{streams: f.streams}
	opening, err := backfill.NewOpening(backfill.OpeningOptions{
		Pool: pool, Keys: keys, Brand: b.brand, AllowDebt: b.allowDebt, AsOf: b.asOf.at, DryRun: b.dryRun,
		Host: host, Client: "walletctl " + version.Get().Version, Progress: bar.update,
	})
	if err != nil {
		return err
	}
	return openingHint(b.open(ctx, f, opening, bar))
}

func openingHint(err error) error {
	var history *backfill.HistoryError
	var totals *backfill.TotalsError
	switch {
	case errors.Is(err, backfill.ErrForbidden):
		return hint.With(err, "set GAMING_DATABASE_URL to a login that is a member of backfill")
	case errors.Is(err, backfill.ErrRunning):
		return hint.With(err, "wait until it has ended, and run the same command again")
	case errors.As(err, &history):
		return hint.With(err, "walletctl backfill run, or --without-history with the reason")
	case errors.As(err, &totals):
		return hint.With(err, "bring in what is missing; --expect or the source may be another day's")
	}
	return err
}
