package deposit_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/walletcore"
	"github.com/walletctl/walletctl/walletcore/deposit"
	"github.com/walletctl/walletctl/walletcore/job"
)

func (b *bench) sweep(t *testing.T) job.Swept {
	t.Helper()
	swept, err := b.SweepLost(context.Background())
	require.NoError(t, err)
	return swept
}

func TestSweep_LeavesWorkInProgressAlone(t *testing.T) {
	t.Parallel()
	b := newBench(t, func(o *options) { o.RetryBase = time.Hour })
	b.confirmed(t)
	b.apply(t, early("d404", walletcore.PaymentConfirmed))
	require.Equal(t, job.Swept{}, b.sweep(t))
	b.wallet.before = always(errGamingDown)
	start(t, b.Service)
	b.waitCount(t, 1, "river_job where state = 'retryable'")
	require.Equal(t, job.Swept{}, b.sweep(t))
}

func TestSweep_MissingJobsAreQueuedAgain(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	d := b.confirmed(t)
	n := early("d404", walletcore.PaymentConfirmed)
	b.apply(t, n)
	b.exec(t, `delete from casino.river_job`)
	require.Equal(t, job.Swept{Restored: 4}, b.sweep(t)) // a credit, two effects, a match
	require.Equal(t, job.Swept{}, b.sweep(t))
	require.NotEqual(t, d.JobID, b.get(t, d.ID).JobID)
	require.Equal(t, 1, b.count(t, "gateway_messages m join casino.river_job j on j.id = m.job_id where m.id = $1", n.MessageID))
	start(t, b.Service)
	b.waitFor(t, d.ID, deposit.Credited)
	b.waitCount(t, 2, "effects where published_at is not null")
	require.Contains(t, b.events(t, d.ID), deposit.EventJobRestored)
}

func TestSweep_JobThatEndedWithoutItsWorkIsWorkedAgain(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	d := b.confirmed(t)
	b.exec(t, `update casino.river_job set state = 'completed', finalized_at = now()`)
	require.Equal(t, job.Swept{Restored: 3}, b.sweep(t))
	require.Equal(t, d.JobID, b.get(t, d.ID).JobID)
	start(t, b.Service)
	b.waitFor(t, d.ID, deposit.Credited)
}

func TestSweep_DiscardedByTheRescuerGetsItsCase(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	d := b.confirmed(t)
	n := early("d404", walletcore.PaymentConfirmed)
	b.apply(t, n)
	// What River does to a killed process's last attempt, without calling us.
	b.exec(t, `update casino.river_job set state = 'discarded', finalized_at = now(), attempt = max_attempts`)
	require.Equal(t, job.Swept{Cases: 4}, b.sweep(t))
	require.Equal(t, []string{"credit_exhausted"}, b.cases(t, d.ID))
	require.Equal(t, []string{"effect_exhausted"}, b.cases(t, d.ID+"/promotions"))
	require.Equal(t, []string{"effect_exhausted"}, b.cases(t, d.ID+"/affiliates"))
	require.Equal(t, []string{"unknown_deposit"}, b.cases(t, "d404"))
	require.Nil(t, b.get(t, d.ID).NextAttemptAt)
	require.Equal(t, job.Swept{}, b.sweep(t))

	// A person closed it: the same end of the same job is not news.
	b.exec(t, `update casino.cases set closed_at = now(), resolution = 'paid out by hand'`)
	require.Equal(t, job.Swept{}, b.sweep(t))
	// Tried again and given up again: it is.
	b.exec(t, `update casino.river_job set attempt = 7, max_attempts = 7 where id = $1`, d.JobID)
	require.Equal(t, job.Swept{Cases: 1}, b.sweep(t))
}

func TestSweep_RescuerOfTheQueueDiscardsAKilledLastAttempt(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	d := b.confirmed(t)
	b.exec(t, `update casino.river_job set state = 'running', attempt = 6, attempted_at = now() - interval '3 minutes'
		where id = $1`, d.JobID)
	start(t, b.Service)
	require.Eventually(t, func() bool {
		return b.count(t, "river_job where id = $1 and state = 'discarded'", d.JobID) == 1
	}, 60*time.Second, 50*time.Millisecond, "a killed process's job is not rescued")
	require.Zero(t, b.wallet.calls())
	require.Equal(t, job.Swept{Cases: 1}, b.sweep(t))
	require.Equal(t, []string{"credit_exhausted"}, b.cases(t, d.ID))
}

func TestSweep_ManyAtOnceDoEachThingOnce(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	for range 5 {
		b.confirmed(t)
	}
	b.exec(t, `delete from casino.river_job where kind = 'deposit_credit'`)
	b.exec(t, `update casino.river_job set state = 'discarded', finalized_at = now(), attempt = max_attempts`)
	var wg sync.WaitGroup
	errs := make([]error, 8)
	for i := range errs {
		wg.Go(func() { _, errs[i] = b.SweepLost(context.Background()) })
	}
	wg.Wait()
	for _, err := range errs {
		require.NoError(t, err)
	}
	require.Equal(t, 5, b.count(t, "river_job where kind = 'deposit_credit'"))
	require.Equal(t, 5, b.count(t, "deposit_events where kind = 'job_restored'"))
	require.Equal(t, 10, b.count(t, "cases"))
}

func TestSweep_RunsByItselfWhileTheServiceWorks(t *testing.T) {
	t.Parallel()
	b := newBench(t, func(o *options) { o.SweepInterval = 20 * time.Millisecond })
	d := b.confirmed(t)
	b.exec(t, `delete from casino.river_job`)
	start(t, b.Service)
	b.waitFor(t, d.ID, deposit.Credited)
}
