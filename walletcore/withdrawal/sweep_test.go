package withdrawal_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/walletcore"
	"github.com/walletctl/walletctl/walletcore/job"
	"github.com/walletctl/walletctl/walletcore/withdrawal"
)

// waiting is a withdrawal that waits for each of its three steps, and no job at
// work.
func waiting(t *testing.T) (b *bench, debit, payout, reversal withdrawal.Withdrawal) {
	t.Helper()
	b = newBench(t)
	b.payer.before = func(int) error { return errNever }
	require.NoError(t, b.queue.Start(context.Background()))
	payout = b.create("5")
	b.waitCase(payout.ID, "payout_exhausted")
	b.stop()
	b.exec(`update casino.cases set closed_at = now(), resolution = 'x'`)
	b.exec(`delete from casino.river_job`)
	b.payer.before = nil
	debit, reversal = b.create("5"), b.create("5")
	b.tell(outcome(&reversal, walletcore.PaymentRejected))
	b.Service, b.queue = b.service()
	return b, debit, payout, reversal
}

func (b *bench) sweep() job.Swept {
	b.t.Helper()
	swept, err := b.queue.SweepLost(b.t.Context())
	require.NoError(b.t, err)
	return swept
}

func TestSweep_MissingJobsAreQueuedAgain(t *testing.T) {
	t.Parallel()
	b, debit, payout, reversal := waiting(t)
	b.exec(`delete from casino.river_job`)
	require.Equal(t, job.Swept{Restored: 3}, b.sweep())
	require.Equal(t, job.Swept{}, b.sweep())
	b.start()
	b.waitDebited(debit.ID)
	b.waitDebited(payout.ID)
	b.waitFor(reversal.ID, withdrawal.Reversed)
	b.requireWhole()
}

func TestSweep_DiscardedByTheRescuerGetsItsCase(t *testing.T) {
	t.Parallel()
	b, debit, _, reversal := waiting(t)
	// What River does to a killed process's last attempt, without calling us.
	b.exec(`update casino.river_job set state = 'discarded', finalized_at = now(), attempt = max_attempts`)
	require.Equal(t, job.Swept{Restored: 1, Cases: 2}, b.sweep())
	require.Equal(t, "debit_exhausted", b.openCases(debit.ID))
	require.Equal(t, "reversal_exhausted", b.openCases(reversal.ID))
	require.Nil(t, b.get(debit.ID).NextAttemptAt)
	b.exec(`delete from casino.river_job where kind = 'withdrawal_payout'`)
	require.Equal(t, job.Swept{Restored: 1}, b.sweep())
}

func TestSweep_LeavesWorkInProgressAndWhatIsDoneAlone(t *testing.T) {
	t.Parallel()
	b, ids := world(t)
	require.Equal(t, job.Swept{}, b.sweep())
	b.exec(`delete from casino.river_job where state in ('completed', 'cancelled', 'discarded')`)
	require.Equal(t, job.Swept{}, b.sweep())
	require.Equal(t, withdrawal.Paid, b.get(ids[withdrawal.Paid]).Status)
}
