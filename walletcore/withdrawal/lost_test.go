package withdrawal_test

import (
	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/walletcore"
	"github.com/walletctl/walletctl/walletcore/withdrawal"
)

func lostReplies() []scenario {
	return []scenario{
		{
			name: "nothing goes wrong", happen: paid,
			status: withdrawal.Paid, debits: 1, payouts: 1, balance: "80.00000000",
		},
		{
			name: "the reply is lost before the commit", happen: paid,
			arrange: func(b *bench) { b.wallet.before = on(debit, upTo(1, errNever)) },
			status:  withdrawal.Paid, debits: 1, payouts: 1, balance: "80.00000000",
		},
		{
			name: "the reply is lost after the commit", happen: paid,
			arrange: func(b *bench) { b.wallet.after = on(debit, upTo(1, errLost)) },
			status:  withdrawal.Paid, debits: 1, payouts: 1, balance: "80.00000000",
			verify: func(b *bench, w *withdrawal.Withdrawal) {
				require.Equal(b.t, 2, b.wallet.asked(debit))
				require.Equal(b.t, int64(2), b.get(w.ID).Receipt.Seq, "the receipt of the first time")
			},
		},
		{
			name: "the replies of all but the last attempt are lost", happen: paid,
			arrange: func(b *bench) { b.wallet.after = on(debit, upTo(5, errLost)) },
			status:  withdrawal.Paid, debits: 1, payouts: 1, balance: "80.00000000",
		},
		{
			name:    "every reply is lost: a person looks, nothing is paid or given back by itself",
			arrange: func(b *bench) { b.wallet.after = on(debit, upTo(6, errLost)) },
			happen:  func(b *bench, w *withdrawal.Withdrawal) { b.waitCase(w.ID, "debit_exhausted") },
			status:  withdrawal.Requested, debits: 1, balance: "80.00000000", cases: "debit_exhausted",
		},
		{
			name:    "every reply is lost, then it is called off",
			arrange: func(b *bench) { b.wallet.after = on(debit, upTo(6, errLost)) },
			happen: func(b *bench, w *withdrawal.Withdrawal) {
				b.waitCase(w.ID, "debit_exhausted")
				b.tell(outcome(w, walletcore.PaymentRejected))
				b.waitFor(w.ID, withdrawal.Reversed)
			},
			status: withdrawal.Reversed, debits: 1, reversals: 1, balance: "100.00000000",
		},
		{
			name:    "no attempt arrives, then it is called off, then one arrives late",
			arrange: func(b *bench) { b.wallet.before = on(debit, upTo(6, errNever)) },
			happen: func(b *bench, w *withdrawal.Withdrawal) {
				b.waitCase(w.ID, "debit_exhausted")
				b.tell(outcome(w, walletcore.PaymentRejected))
				b.waitFor(w.ID, withdrawal.Reversed)
				late, err := b.ledger.DebitWithdrawal(b.t.Context(), orderOf(w))
				require.NoError(b.t, err)
				require.Equal(b.t, walletcore.WithdrawalClosed, late.State)
			},
			status: withdrawal.Reversed, balance: "100.00000000",
		},
		{
			name: "the reply of the reversal is lost after the commit", happen: rejected,
			arrange: func(b *bench) { b.wallet.after = on(back, upTo(2, errLost)) },
			status:  withdrawal.Reversed, debits: 1, reversals: 1, payouts: 1, balance: "100.00000000",
		},
		{
			name:    "no reply of the reversal is heard: a person looks, and the debit is not paid",
			arrange: func(b *bench) { b.wallet.after = on(back, upTo(6, errLost)) },
			happen: func(b *bench, w *withdrawal.Withdrawal) {
				b.waitDebited(w.ID)
				b.tell(outcome(w, walletcore.PaymentRejected))
				b.waitCase(w.ID, "reversal_exhausted")
				require.Equal(b.t, withdrawal.CasePaidAfterRejection, b.tell(outcome(w, walletcore.PaymentPaid)).Case)
			},
			status: withdrawal.Rejected, debits: 1, reversals: 1, payouts: 1, balance: "100.00000000",
			cases: "paid_after_rejection reversal_exhausted",
		},
		{
			name: "the answer is somebody else's receipt: nothing is marked",
			arrange: func(b *bench) {
				b.wallet.forge = func(w *walletcore.Withdrawn) { w.Receipt.ExternalID = "other" }
			},
			happen: func(b *bench, w *withdrawal.Withdrawal) { b.waitCase(w.ID, "debit_exhausted") },
			status: withdrawal.Requested, debits: 1, balance: "80.00000000", cases: "debit_exhausted",
		},
	}
}
