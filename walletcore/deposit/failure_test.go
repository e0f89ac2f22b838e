package deposit_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/walletcore"
	"github.com/walletctl/walletctl/walletcore/casework"
	"github.com/walletctl/walletctl/walletcore/deposit"
	"github.com/walletctl/walletctl/walletcore/job"
)

func always(err error) func(int) error { return func(int) error { return err } }

func TestFailure_IsRetriedOnTheScheduleAndEndsInACase(t *testing.T) {
	t.Parallel()
	b := newBench(t, func(o *options) { o.RetryBase = 30 * time.Second })
	b.wallet.before = always(errGamingDown)
	start(t, b.Service)
	d := b.confirmed(t)
	for attempt, wait := range []int{30, 60, 120, 240, 480} {
		b.waitCount(t, 1, "river_job where id = $1 and state = 'retryable' and attempt = $2", d.JobID, attempt+1)
		got := b.get(t, d.ID)
		require.Equal(t, attempt+1, got.Attempts)
		require.Contains(t, got.LastError, errGamingDown.Error())
		require.Equal(t, job.ClassUnknown, got.LastErrorClass)
		require.NotNil(t, got.NextAttemptAt)
		want := time.Duration(wait) * time.Second
		require.WithinDuration(t, got.LastErrorAt.Add(want), *got.NextAttemptAt, 2*time.Second)
		scheduled := b.scheduledAt(t, d.JobID)
		require.WithinDuration(t, got.LastErrorAt.Add(want), scheduled, 5*time.Second)
		require.Empty(t, b.cases(t, d.ID))
		b.hurry(t)
	}
	b.waitCount(t, 1, "river_job where id = $1 and state = 'discarded' and attempt = 6", d.JobID)
	got := b.get(t, d.ID)
	require.Equal(t, deposit.Confirmed, got.Status)
	require.Equal(t, 6, got.Attempts)
	require.Nil(t, got.NextAttemptAt)
	require.Equal(t, []string{"credit_exhausted"}, b.cases(t, d.ID))
	require.Equal(t, 6, b.wallet.calls())
}

func (b *bench) scheduledAt(t *testing.T, jobID int64) time.Time {
	t.Helper()
	var at time.Time
	err := b.admin.QueryRow(context.Background(), `select scheduled_at from casino.river_job where id = $1`, jobID).Scan(&at)
	require.NoError(t, err)
	return at
}

func TestFailure_EveryAttemptStandsInTheHistory(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.wallet.before = func(call int) error { return fmt.Errorf("failure number %d", call) }
	start(t, b.Service)
	d := b.confirmed(t)
	b.waitCount(t, 1, "cases")
	events, err := b.Events(context.Background(), d.ID)
	require.NoError(t, err)
	attempt := 0
	for _, e := range events {
		if e.Kind == deposit.EventCreditFailed {
			attempt++
			require.Equal(t, attempt, e.Attempt)
			require.Contains(t, e.Detail, fmt.Sprintf("failure number %d", attempt))
		}
	}
	require.Equal(t, 6, attempt)
}

type permanentError struct{}

func (permanentError) Error() string   { return "unroutable for ever" }
func (permanentError) Permanent() bool { return true }

func TestFailure_FinalAnswerOpensItsCaseAtOnce(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		err   error
		kind  casework.Kind
		class job.ErrorClass
	}{
		"conflict": {
			&walletcore.ConflictError{Kind: walletcore.KindDeposit, ExternalID: "d", Field: "user", Stored: "a", Given: "b"},
			deposit.CaseKeyConflict, job.ClassConflict,
		},
		"field":     {&walletcore.FieldError{Field: "amount", Reason: "is out of range"}, deposit.CaseCreditInvalid, job.ClassInvalid},
		"permanent": {fmt.Errorf("call: %w", permanentError{}), deposit.CaseCreditInvalid, job.ClassInvalid},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t)
			b.wallet.before = always(c.err)
			start(t, b.Service)
			d := b.confirmed(t)
			b.waitCount(t, 1, "river_job where id = $1 and state = 'cancelled'", d.JobID)
			got := b.get(t, d.ID)
			require.Equal(t, c.class, got.LastErrorClass)
			require.Nil(t, got.NextAttemptAt)
			require.Equal(t, []string{string(c.kind)}, b.cases(t, d.ID))
			require.Equal(t, 1, b.wallet.calls())
		})
	}
}

func TestFailure_PanicAndTimeoutCountLikeAnyOther(t *testing.T) {
	t.Parallel()
	for class, before := range map[job.ErrorClass]func(int) error{
		job.ClassPanic:   func(int) error { panic("a bug") },
		job.ClassTimeout: always(fmt.Errorf("call gaming: %w", context.DeadlineExceeded)),
		job.ClassRefused: always(&walletcore.RefusedError{Code: walletcore.RefusedOverflow}),
	} {
		t.Run(string(class), func(t *testing.T) {
			t.Parallel()
			b := newBench(t, func(o *options) { o.RetryBase = time.Hour })
			b.wallet.before = func(call int) error {
				if call == 1 {
					return before(call)
				}
				return nil
			}
			start(t, b.Service)
			d := b.confirmed(t)
			b.waitCount(t, 1, "river_job where id = $1 and state = 'retryable'", d.JobID)
			require.Equal(t, class, b.get(t, d.ID).LastErrorClass)
			b.hurry(t)
			b.waitFor(t, d.ID, deposit.Credited)
		})
	}
}

func TestFailure_IsRecordedWhereTheErrorCannotBeStoredAsItIs(t *testing.T) {
	t.Parallel()
	b := newBench(t, func(o *options) { o.RetryBase = time.Hour })
	long := make([]byte, 10000)
	for i := range long {
		long[i] = byte(i)
	}
	b.wallet.before = always(errors.New("odd: \x00\xff" + string(long)))
	start(t, b.Service)
	d := b.confirmed(t)
	b.waitCount(t, 1, "deposits where attempts = 1 and last_error like 'odd: %'")
	b.waitCount(t, 1, "river_job where id = $1 and state = 'retryable'", d.JobID)
}

func TestFailure_CaseIsClosedWhenTheDepositIsCreditedAfterAll(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.wallet.before = func(call int) error {
		if call <= 6 {
			return errGamingDown
		}
		return nil
	}
	start(t, b.Service)
	d := b.confirmed(t)
	b.waitCount(t, 1, "river_job where id = $1 and state = 'discarded'", d.JobID)
	require.Equal(t, []string{"credit_exhausted"}, b.cases(t, d.ID))
	b.exec(t, `update casino.river_job set state = 'available', finalized_at = null, max_attempts = 7 where id = $1`, d.JobID)
	b.waitFor(t, d.ID, deposit.Credited)
	require.Empty(t, b.cases(t, d.ID))
	require.Equal(t, 1, b.count(t, "cases where resolution = 'credited'"))
}
