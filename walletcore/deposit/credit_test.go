package deposit_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/walletcore"
	"github.com/walletctl/walletctl/walletcore/deposit"
)

func TestCredit_MarksTheDepositWithGamingsReceipt(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	start(t, b.Service)
	d := b.confirmed(t)
	got := b.waitFor(t, d.ID, deposit.Credited)
	want := b.wallet.receipt(d.ID)
	require.Empty(t, cmp.Diff(&want, got.Receipt, cmp.AllowUnexported(walletcore.Money{})))
	require.Equal(t, 1, got.Attempts)
	require.Nil(t, got.NextAttemptAt)

	request := b.wallet.requests[0]
	require.NoError(t, request.Validate())
	require.Equal(t, d.ID, request.DepositID)
	require.Equal(t, d.Amount, request.Amount)
	require.Equal(t, d.CorrelationID, request.CorrelationID)
	require.Equal(t, *d.ConfirmedAt, request.OccurredAt)
	require.JSONEq(t, fmt.Sprintf(`{"gateway":"generic","account":"north-main","payment_id":"pay-%s"}`, d.ID), string(request.Details))
}

func TestCredit_StartsAtOnceAfterTheCommit(t *testing.T) {
	t.Parallel()
	// Polling would take a minute: only LISTEN can be that quick.
	b := newBench(t, func(o *options) { o.PollInterval = time.Minute })
	start(t, b.Service)
	warm := b.confirmed(t)
	b.waitFor(t, warm.ID, deposit.Credited)
	d := b.confirmed(t)
	got := b.waitFor(t, d.ID, deposit.Credited)
	require.Less(t, got.CreditedAt.Sub(*got.ConfirmedAt), 5*time.Second)
	t.Logf("confirmed to credited: %s", got.CreditedAt.Sub(*got.ConfirmedAt))
}

func TestCredit_PollsWhereItCannotListen(t *testing.T) {
	t.Parallel()
	b := newBench(t, func(o *options) { o.PollOnly = true })
	start(t, b.Service)
	d := b.confirmed(t)
	b.waitFor(t, d.ID, deposit.Credited)
}

func TestCredit_ReplyLostAfterTheCommitGetsTheOriginalReceipt(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.wallet.after = func(call int) error {
		if call == 1 {
			return errors.New("reply lost")
		}
		return nil
	}
	start(t, b.Service)
	d := b.confirmed(t)
	got := b.waitFor(t, d.ID, deposit.Credited)
	require.Equal(t, 2, b.wallet.calls())
	require.Equal(t, b.wallet.receipt(d.ID), *got.Receipt)
	require.Equal(t, d.Amount, b.wallet.balance)
	require.Empty(t, cmp.Diff(b.wallet.requests[0], b.wallet.requests[1], cmp.AllowUnexported(walletcore.Money{})))
	require.Equal(t, []deposit.EventKind{
		deposit.EventCreated, deposit.EventConfirmed, deposit.EventCreditFailed, deposit.EventCredited,
	}, without(b.events(t, d.ID), deposit.EventEffectPublished))
	require.Equal(t, 2, got.Attempts)
	require.Contains(t, got.LastError, "reply lost")
}

func TestCredit_KilledBetweenConfirmAndCreditIsCreditedByTheNext(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	d := b.confirmed(t) // this service is never started: it died here
	require.Zero(t, b.wallet.calls())
	start(t, b.service(t))
	b.waitFor(t, d.ID, deposit.Credited)
	b.waitCount(t, 2, "effects where published_at is not null")
	require.ElementsMatch(t, []string{"promotions", "affiliates"}, b.topic.of(d.ID))
	require.Equal(t, 1, b.wallet.calls())
}

func TestCredit_StoppingServiceGivesTheAttemptBack(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	calling := make(chan struct{})
	hung := &hangingWallet{calling: calling}
	first := b.service(t, func(o *options) { o.Wallet = hung; o.StopTimeout = 10 * time.Millisecond })
	require.NoError(t, first.Start(context.Background()))
	d := b.confirmed(t)
	<-calling
	stop(t, first)
	got := b.get(t, d.ID)
	require.Equal(t, deposit.Confirmed, got.Status)
	require.Zero(t, got.Attempts)
	b.waitCount(t, 1, "river_job where id = $1 and state = 'available' and attempt = 0", got.JobID)

	start(t, b.Service)
	b.waitFor(t, d.ID, deposit.Credited)
}

// hangingWallet answers when the caller gives up.
type hangingWallet struct{ calling chan struct{} }

func (w *hangingWallet) CreditDeposit(ctx context.Context, _ walletcore.DepositCredit) (walletcore.Posted, error) {
	close(w.calling)
	<-ctx.Done()
	return walletcore.Posted{}, errGamingDown
}

// slowWallet answers with its outcome when the job's time is over.
type slowWallet struct {
	deposit.Wallet
	err error
}

func (w slowWallet) CreditDeposit(ctx context.Context, c walletcore.DepositCredit) (walletcore.Posted, error) {
	posted, err := w.Wallet.CreditDeposit(ctx, c)
	<-ctx.Done()
	return posted, errors.Join(err, w.err)
}

func TestCredit_WhatHappenedIsRecordedAfterTheJobsTimeIsOver(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	quick := func(err error) func(*options) {
		return func(o *options) {
			o.Wallet, o.JobTimeout, o.RetryBase = slowWallet{b.wallet, err}, 500*time.Millisecond, time.Hour
		}
	}
	failing := b.service(t, quick(context.DeadlineExceeded))
	require.NoError(t, failing.Start(context.Background()))
	d := b.confirmed(t)
	b.waitCount(t, 1, "deposits where attempts = 1 and last_error_class = 'timeout'")
	require.Equal(t, deposit.Confirmed, b.get(t, d.ID).Status)
	stop(t, failing)

	start(t, b.service(t, quick(nil)))
	b.hurry(t)
	got := b.waitFor(t, d.ID, deposit.Credited)
	require.Equal(t, 2, got.Attempts)
	require.Equal(t, 2, b.wallet.calls())
}

func TestCredit_SecondRunOfTheJobStopsAtACreditedDeposit(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	start(t, b.Service)
	d := b.confirmed(t)
	got := b.waitFor(t, d.ID, deposit.Credited)
	b.waitCount(t, 1, "river_job where id = $1 and state = 'completed'", got.JobID)
	b.exec(t, `update casino.river_job set state = 'available', finalized_at = null where id = $1`, got.JobID)
	b.waitCount(t, 1, "river_job where id = $1 and state = 'completed' and attempt = 2", got.JobID)
	require.Equal(t, 1, b.wallet.calls())
	require.Equal(t, got.Receipt, b.get(t, d.ID).Receipt)
}

func TestCredit_ForeignReceiptMarksNothing(t *testing.T) {
	t.Parallel()
	for name, spoil := range map[string]func(*walletcore.Receipt){
		"another deposit": func(r *walletcore.Receipt) { r.ExternalID = "dep_other" },
		"another kind":    func(r *walletcore.Receipt) { r.Kind = walletcore.KindOpening },
		"another wallet":  func(r *walletcore.Receipt) { r.WalletID[0] ^= 1 },
		"another amount":  func(r *walletcore.Receipt) { r.RealAfter = r.RealAfter.Add(walletcore.MoneyFromUnits(1)) },
		"bonus":           func(r *walletcore.Receipt) { r.BonusAfter = walletcore.MoneyFromUnits(1) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t)
			s := b.service(t, func(o *options) { o.Wallet = spoiling{b.wallet, spoil}; o.RetryBase = time.Hour })
			start(t, s)
			d := b.confirmed(t)
			b.waitCount(t, 1, "deposits where attempts = 1")
			got := b.get(t, d.ID)
			require.Equal(t, deposit.Confirmed, got.Status)
			require.Contains(t, got.LastError, deposit.ErrForeignReceipt.Error())
		})
	}
}

type spoiling struct {
	deposit.Wallet
	spoil func(*walletcore.Receipt)
}

func (w spoiling) CreditDeposit(ctx context.Context, c walletcore.DepositCredit) (walletcore.Posted, error) {
	posted, err := w.Wallet.CreditDeposit(ctx, c)
	w.spoil(&posted.Receipt)
	return posted, err
}

func without(events []deposit.EventKind, kind deposit.EventKind) []deposit.EventKind {
	var left []deposit.EventKind
	for _, e := range events {
		if e != kind {
			left = append(left, e)
		}
	}
	return left
}
