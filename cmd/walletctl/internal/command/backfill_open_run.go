package command

import (
	"context"
	"errors"
	"fmt"

	"github.com/walletctl/walletctl/backfill"
	"github.com/walletctl/walletctl/cmd/internal/config"
	"github.com/walletctl/walletctl/cmd/internal/exit"
	"github.com/walletctl/walletctl/cmd/walletctl/internal/output"
	"github.com/walletctl/walletctl/walletcore"
)

// openingKeys are needed: a chain that begins unsigned cannot be signed later.
func openingKeys(s settings) (*walletcore.Keyring, error) {
	if s.KeysFile == "" {
		return nil, &config.Error{Variable: "LEDGER_KEYS_FILE", Problem: "is not set", Try: "set it to gaming's file of keys"}
	}
	keys, err := walletcore.LoadKeyring(s.KeysFile)
	if err != nil {
		return nil, &config.Error{Variable: "LEDGER_KEYS_FILE", Problem: "cannot be used: " + err.Error(), Try: "correct the path or the file"}
	}
	return keys, nil
}

// open shows what would be done, asks, and does it.
func (b *brandOpening) open(ctx context.Context, f *factory, opening *backfill.Opening, bar *openingProgress) error {
	state, err := opening.State(ctx)
	if err != nil {
		return err
	}
	if state == walletcore.BrandLive {
		return &backfill.StateError{Brand: b.brand, State: state, Want: walletcore.BrandImporting}
	}
	outcome := &openingOutcome{brand: b.brand, state: state, dryRun: b.dryRun}
	source, err := b.declare(ctx, f, outcome)
	if source != nil {
		defer source.close()
	}
	if err != nil {
		return err
	}
	if outcome.inside, err = opening.Totals(ctx); err != nil {
		return err
	}
	if !b.dryRun {
		if err := b.ask(ctx, f, outcome); err != nil {
			return err
		}
	}
	err = b.bring(ctx, opening, source, bar, outcome)
	if err == nil && b.live {
		err = b.goLive(ctx, opening, outcome)
	}
	return b.tell(ctx, f, opening, outcome, err)
}

// declare reads the whole source, before anything is written. With --expect it
// has to hold that.
func (b *brandOpening) declare(ctx context.Context, f *factory, outcome *openingOutcome) (balanceSource, error) {
	outcome.declared = backfill.Totals(b.expect)
	if !b.hasSource() {
		return nil, nil
	}
	source, err := b.source(ctx, f)
	if err != nil {
		return nil, err
	}
	totals, err := backfill.Sum(source.read(ctx))
	if err != nil {
		return source, fmt.Errorf("nothing was done: %w", err)
	}
	if len(b.expect) > 0 {
		if differences := totals.Compare(outcome.declared); len(differences) > 0 {
			return source, fmt.Errorf("nothing was done: %w", &backfill.TotalsError{Differences: differences})
		}
	}
	outcome.declared = totals
	return source, nil
}

// ask shows the totals, and wants what is meant typed.
func (b *brandOpening) ask(ctx context.Context, f *factory, outcome *openingOutcome) error {
	if err := output.Write(f.streams.Err, output.FormatTable, outcome.preview()); err != nil {
		return err
	}
	want := b.brand
	if b.hasSource() {
		want = fmt.Sprintf("%s %d", want, walletsOf(outcome.declared))
	}
	if b.live {
		want += " live"
	}
	return confirm(ctx, f, b.confirm, want)
}

func walletsOf(totals backfill.Totals) int64 {
	var n int64
	for _, t := range totals {
		n += t.Wallets
	}
	return n
}

func (b *brandOpening) bring(ctx context.Context, opening *backfill.Opening, source balanceSource, bar *openingProgress, outcome *openingOutcome) error {
	if source == nil {
		return nil
	}
	if !b.dryRun {
		if err := opening.Begin(ctx, b.note); err != nil {
			return err
		}
		outcome.begun = outcome.state == walletcore.BrandClosed
	}
	bar.begin(walletsOf(outcome.declared))
	defer bar.clear()
	brought, err := opening.BringForward(ctx, source.read(ctx))
	outcome.brought = brought
	return err
}

func (b *brandOpening) goLive(ctx context.Context, opening *backfill.Opening, outcome *openingOutcome) error {
	if b.dryRun {
		return b.wouldGoLive(outcome)
	}
	horizon := b.horizon
	if horizon == 0 {
		horizon = 1 // the shortest: 0 is the default
	}
	_, err := opening.GoLive(ctx, backfill.LiveOptions{
		Declared: outcome.declared, Horizon: horizon, WithoutHistory: b.withoutHistory, Note: b.note,
	})
	return err
}

// wouldGoLive compares what is inside; of balances that have yet to come in
// their source is the measure.
func (b *brandOpening) wouldGoLive(outcome *openingOutcome) error {
	if b.hasSource() {
		return nil
	}
	if differences := outcome.inside.Compare(outcome.declared); len(differences) > 0 {
		return &backfill.TotalsError{Differences: differences}
	}
	return nil
}

// tell writes what was done, also where it was not all: then the exit code is 3.
func (b *brandOpening) tell(ctx context.Context, f *factory, opening *backfill.Opening, outcome *openingOutcome, failed error) error {
	var partial *backfill.PartialError
	if errors.As(failed, &partial) {
		outcome.refusals = partial.Refusals
	}
	if failed != nil && partial == nil && !outcome.begun && outcome.brought.In == 0 {
		return failed
	}
	var err error
	ctx = context.WithoutCancel(ctx)
	if outcome.state, err = opening.State(ctx); err != nil {
		return errors.Join(failed, err)
	}
	if outcome.inside, err = opening.Totals(ctx); err != nil {
		return errors.Join(failed, err)
	}
	if err := output.Write(f.streams.Out, b.format.Format, outcome.result()); err != nil {
		return err
	}
	if failed == nil {
		return nil
	}
	if b.live && outcome.state != walletcore.BrandLive {
		failed = fmt.Errorf("brand %s is not live: %w", b.brand, failed)
	}
	return &statusError{code: exit.Partly, err: openingHint(failed)}
}
