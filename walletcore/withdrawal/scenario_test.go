package withdrawal_test

import (
	"errors"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/walletcore"
	"github.com/walletctl/walletctl/walletcore/inbox"
	"github.com/walletctl/walletctl/walletcore/withdrawal"
)

const (
	debit = walletcore.KindWithdrawal
	back  = walletcore.KindWithdrawalReversal
)

// scenario is something that happens to a withdrawal of 20, and how it must
// end: with one debit and at most one reversal.
type scenario struct {
	name      string
	arrange   func(b *bench)                           // before it is asked for
	happen    func(b *bench, w *withdrawal.Withdrawal) // after; nil: nothing does
	status    withdrawal.Status                        // where it ends
	debits    int                                      // entries that took its amount
	reversals int                                      // entries that gave it back
	payouts   int                                      // different requests for its payout
	balance   string                                   // of the player at the end
	cases     string                                   // open at the end, sorted, with blanks between
	verify    func(b *bench, w *withdrawal.Withdrawal) // what else holds
}

func paid(b *bench, w *withdrawal.Withdrawal) {
	b.waitDebited(w.ID)
	require.Equal(b.t, inbox.Applied, b.tell(outcome(w, walletcore.PaymentPaid)).Result)
}

func rejected(b *bench, w *withdrawal.Withdrawal) {
	b.waitDebited(w.ID)
	require.Equal(b.t, inbox.Applied, b.tell(outcome(w, walletcore.PaymentRejected)).Result)
	b.waitFor(w.ID, withdrawal.Reversed)
}

// mistaken tells something about the debited withdrawal that cannot be true.
func mistaken(status walletcore.PaymentStatus, change func(*walletcore.Notification)) func(*bench, *withdrawal.Withdrawal) {
	return func(b *bench, w *withdrawal.Withdrawal) {
		b.waitDebited(w.ID)
		for range 2 { // repeated for days, it is still one case
			n := outcome(w, status)
			change(&n)
			require.Equal(b.t, inbox.CaseOpened, b.tell(n).Result)
		}
	}
}

// conflicting asks gaming again with other content, which must change nothing.
func conflicting(field string, change func(*walletcore.WithdrawalOrder)) func(*bench, *withdrawal.Withdrawal) {
	return func(b *bench, w *withdrawal.Withdrawal) {
		b.waitDebited(w.ID)
		o := walletcore.WithdrawalOrder{WithdrawalID: w.ID, Wallet: w.Wallet(), Amount: w.Amount, OccurredAt: w.CreatedAt}
		change(&o)
		for range 2 {
			var conflict *walletcore.ConflictError
			_, err := b.ledger.DebitWithdrawal(b.t.Context(), o)
			require.ErrorAs(b.t, err, &conflict)
			require.Equal(b.t, field, conflict.Field)
			_, err = b.ledger.ReverseWithdrawal(b.t.Context(), o)
			require.ErrorAs(b.t, err, &conflict)
			require.Equal(b.t, field, conflict.Field)
		}
	}
}

// together runs n calls at the same instant.
func together(b *bench, n int, call func(i int) error) {
	var all sync.WaitGroup
	start := make(chan struct{})
	errs := make([]error, n)
	for i := range n {
		all.Go(func() {
			<-start
			errs[i] = call(i)
		})
	}
	close(start)
	all.Wait()
	require.NoError(b.t, errors.Join(errs...))
}

func orderOf(w *withdrawal.Withdrawal) walletcore.WithdrawalOrder {
	return walletcore.WithdrawalOrder{WithdrawalID: w.ID, Wallet: w.Wallet(), Amount: w.Amount, OccurredAt: w.CreatedAt}
}

func scenarios() []scenario {
	return append(append(lostReplies(), refusals()...), append(outcomes(), races()...)...)
}

func TestScenario_OneDebitAndAtMostOneReversal(t *testing.T) {
	t.Parallel()
	for _, s := range scenarios() {
		t.Run(strings.ReplaceAll(s.name, " ", "_"), func(t *testing.T) {
			t.Parallel()
			b := newBench(t)
			if s.arrange != nil {
				s.arrange(b)
			}
			b.start()
			w := b.create("20")
			if s.happen != nil {
				s.happen(b, &w)
			}
			b.requireEnd(&w, s)
			if s.verify != nil {
				s.verify(b, &w)
			}
		})
	}
}
