package withdrawal_test

import (
	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/walletcore"
	"github.com/walletctl/walletctl/walletcore/inbox"
	"github.com/walletctl/walletctl/walletcore/withdrawal"
)

func outcomes() []scenario {
	return []scenario{
		{
			name: "the payout is rejected", happen: rejected,
			status: withdrawal.Reversed, debits: 1, reversals: 1, payouts: 1, balance: "100.00000000",
			verify: func(b *bench, w *withdrawal.Withdrawal) {
				require.Equal(b.t, "payout.rejected", b.get(w.ID).Reason)
			},
		},
		{
			name: "the outcome stays unknown",
			happen: func(b *bench, w *withdrawal.Withdrawal) {
				b.waitDebited(w.ID)
				for _, status := range []walletcore.PaymentStatus{
					walletcore.PaymentPending, walletcore.PaymentOther, walletcore.PaymentFailed, walletcore.PaymentExpired,
				} {
					require.Equal(b.t, inbox.Skipped, b.tell(outcome(w, status)).Result)
				}
			},
			status: withdrawal.Debited, debits: 1, payouts: 1, balance: "80.00000000",
		},
		{
			name: "it is reversed twice",
			happen: func(b *bench, w *withdrawal.Withdrawal) {
				rejected(b, w)
				require.Equal(b.t, inbox.Skipped, b.tell(outcome(w, walletcore.PaymentRejected)).Result)
				again, err := b.ledger.ReverseWithdrawal(b.t.Context(), orderOf(w))
				require.NoError(b.t, err)
				require.True(b.t, again.Replayed)
				require.Equal(b.t, b.get(w.ID).Reversal.Seq, again.Receipt.Seq)
			},
			status: withdrawal.Reversed, debits: 1, reversals: 1, payouts: 1, balance: "100.00000000",
		},
		{
			name: "it is paid after it was given back",
			happen: func(b *bench, w *withdrawal.Withdrawal) {
				rejected(b, w)
				require.Equal(b.t, withdrawal.CasePaidAfterRejection, b.tell(outcome(w, walletcore.PaymentPaid)).Case)
			},
			status: withdrawal.Reversed, debits: 1, reversals: 1, payouts: 1, balance: "100.00000000",
			cases: "paid_after_rejection",
		},
		{
			name: "it is rejected after it was paid",
			happen: func(b *bench, w *withdrawal.Withdrawal) {
				paid(b, w)
				require.Equal(b.t, withdrawal.CaseRejectedAfterPaid, b.tell(outcome(w, walletcore.PaymentRejected)).Case)
			},
			status: withdrawal.Paid, debits: 1, payouts: 1, balance: "80.00000000", cases: "rejected_after_paid",
		},
		{
			name: "the replay of a withdrawal that was given back asks for no payout",
			happen: func(b *bench, w *withdrawal.Withdrawal) {
				rejected(b, w)
				again, err := b.ledger.DebitWithdrawal(b.t.Context(), orderOf(w))
				require.NoError(b.t, err)
				require.Equal(b.t, walletcore.WithdrawalReversed, again.State)
			},
			status: withdrawal.Reversed, debits: 1, reversals: 1, payouts: 1, balance: "100.00000000",
		},
		{
			name: "paid is told twice",
			happen: func(b *bench, w *withdrawal.Withdrawal) {
				n := outcome(w, walletcore.PaymentPaid)
				b.waitDebited(w.ID)
				b.tell(n)
				require.True(b.t, b.tell(n).Duplicate, "the same message")
				require.Equal(b.t, inbox.Skipped, b.tell(outcome(w, walletcore.PaymentPaid)).Result, "another one")
			},
			status: withdrawal.Paid, debits: 1, payouts: 1, balance: "80.00000000",
		},
		{
			name: "it is paid by two payouts",
			happen: func(b *bench, w *withdrawal.Withdrawal) {
				paid(b, w)
				n := outcome(w, walletcore.PaymentPaid)
				n.PaymentID = "po-second"
				require.Equal(b.t, withdrawal.CaseSecondPayout, b.tell(n).Case)
			},
			status: withdrawal.Paid, debits: 1, payouts: 1, balance: "80.00000000", cases: "second_payout",
		},
		{
			name: "its payout paid another withdrawal",
			happen: func(b *bench, w *withdrawal.Withdrawal) {
				other := b.create("5")
				paid(b, &other)
				b.waitDebited(w.ID)
				n := outcome(w, walletcore.PaymentPaid)
				n.PaymentID = "po-" + other.ID
				require.Equal(b.t, withdrawal.CasePayoutReused, b.tell(n).Case)
			},
			status: withdrawal.Debited, debits: 1, payouts: 1, balance: "75.00000000", cases: "payout_reused",
		},
		{
			name:   "another amount is paid",
			happen: mistaken(walletcore.PaymentPaid, func(n *walletcore.Notification) { n.Amount = walletcore.MustParseMoney("20.01") }),
			status: withdrawal.Debited, debits: 1, payouts: 1, balance: "80.00000000", cases: "amount_mismatch",
		},
		{
			name:   "another amount is rejected",
			happen: mistaken(walletcore.PaymentRejected, func(n *walletcore.Notification) { n.Amount = walletcore.MustParseMoney("2") }),
			status: withdrawal.Debited, debits: 1, payouts: 1, balance: "80.00000000", cases: "amount_mismatch",
		},
		{
			name:   "it is paid in another currency",
			happen: mistaken(walletcore.PaymentPaid, func(n *walletcore.Notification) { n.Currency = "USD" }),
			status: withdrawal.Debited, debits: 1, payouts: 1, balance: "80.00000000", cases: "currency_mismatch",
		},
		{
			name:   "another brand's account rejects it",
			happen: mistaken(walletcore.PaymentRejected, func(n *walletcore.Notification) { n.Brand = "south" }),
			status: withdrawal.Debited, debits: 1, payouts: 1, balance: "80.00000000", cases: "brand_mismatch",
		},
		{
			name:   "another account of the brand pays it",
			happen: mistaken(walletcore.PaymentPaid, func(n *walletcore.Notification) { n.Account = "north-other" }),
			status: withdrawal.Debited, debits: 1, payouts: 1, balance: "80.00000000", cases: "gateway_mismatch",
		},
		{
			name:   "it is paid by nothing in particular",
			happen: mistaken(walletcore.PaymentPaid, func(n *walletcore.Notification) { n.PaymentID = "" }),
			status: withdrawal.Debited, debits: 1, payouts: 1, balance: "80.00000000", cases: "payout_unnamed",
		},
		{
			name: "it is rejected without an amount", happen: func(b *bench, w *withdrawal.Withdrawal) {
				b.waitDebited(w.ID)
				n := outcome(w, walletcore.PaymentRejected)
				n.Amount, n.Currency, n.PaymentID = walletcore.Money{}, "", ""
				require.Equal(b.t, inbox.Applied, b.tell(n).Result)
				b.waitFor(w.ID, withdrawal.Reversed)
			},
			status: withdrawal.Reversed, debits: 1, reversals: 1, payouts: 1, balance: "100.00000000",
		},
		{
			name:    "it is paid before it is debited",
			arrange: func(b *bench) { b.wallet.before = on(debit, upTo(6, errNever)) },
			happen: func(b *bench, w *withdrawal.Withdrawal) {
				require.Equal(b.t, withdrawal.CasePaidBeforeDebit, b.tell(outcome(w, walletcore.PaymentPaid)).Case)
				b.waitCase(w.ID, "debit_exhausted")
			},
			status: withdrawal.Requested, balance: "100.00000000", cases: "debit_exhausted paid_before_debit",
		},
		{
			name: "the payout is asked for at the third attempt", happen: paid,
			arrange: func(b *bench) { b.payer.before = upTo(2, errNever) },
			status:  withdrawal.Paid, debits: 1, payouts: 1, balance: "80.00000000",
		},
		{
			name:    "the payout cannot be asked for, then it is called off",
			arrange: func(b *bench) { b.payer.before = upTo(6, errNever) },
			happen: func(b *bench, w *withdrawal.Withdrawal) {
				b.waitCase(w.ID, "payout_exhausted")
				b.tell(outcome(w, walletcore.PaymentRejected))
				b.waitFor(w.ID, withdrawal.Reversed)
			},
			status: withdrawal.Reversed, debits: 1, reversals: 1, balance: "100.00000000",
		},
	}
}
