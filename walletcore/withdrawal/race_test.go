package withdrawal_test

import (
	"time"

	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/walletcore"
	"github.com/walletctl/walletctl/walletcore/withdrawal"
)

func races() []scenario {
	return []scenario{
		{
			name: "fifty replays at once",
			happen: func(b *bench, w *withdrawal.Withdrawal) {
				together(b, 50, func(int) error {
					_, err := b.ledger.DebitWithdrawal(b.t.Context(), orderOf(w))
					return err
				})
				b.waitDebited(w.ID)
			},
			status: withdrawal.Debited, debits: 1, payouts: 1, balance: "80.00000000",
		},
		{
			name: "twenty rejections at once",
			happen: func(b *bench, w *withdrawal.Withdrawal) {
				b.waitDebited(w.ID)
				together(b, 20, func(int) error {
					_, err := b.Apply(b.t.Context(), outcome(w, walletcore.PaymentRejected))
					return err
				})
				b.waitFor(w.ID, withdrawal.Reversed)
			},
			status: withdrawal.Reversed, debits: 1, reversals: 1, payouts: 1, balance: "100.00000000",
		},
		{
			name: "it is called off while the debit is on its way",
			arrange: func(b *bench) {
				b.wallet.before = on(debit, func(int) error { return b.callOff() })
			},
			happen: func(b *bench, w *withdrawal.Withdrawal) { b.waitFor(w.ID, withdrawal.Reversed) },
			status: withdrawal.Reversed, debits: -1, reversals: -1, balance: "100.00000000",
		},
		{
			name: "it is called off when the debit is committed and not heard of",
			arrange: func(b *bench) {
				b.wallet.after = on(debit, func(int) error { return b.callOff() })
			},
			happen: func(b *bench, w *withdrawal.Withdrawal) { b.waitFor(w.ID, withdrawal.Reversed) },
			status: withdrawal.Reversed, debits: 1, reversals: 1, balance: "100.00000000",
		},
		{
			name:    "a bet for the last money",
			arrange: func(b *bench) { b.bet("70") }, // 30 are left
			happen: func(b *bench, w *withdrawal.Withdrawal) {
				together(b, 10, func(int) error { return b.tryBet("20") })
				require.Eventually(b.t, func() bool {
					s := b.get(w.ID).Status
					return s == withdrawal.Debited || s == withdrawal.Reversed
				}, 30*time.Second, 10*time.Millisecond)
			},
			status: "", debits: -1, balance: "10.00000000",
		},
		{
			name:    "another withdrawal for the last money",
			arrange: func(b *bench) { b.bet("70") },
			happen: func(b *bench, w *withdrawal.Withdrawal) {
				other := b.create("20")
				require.Eventually(b.t, func() bool {
					one, two := b.get(w.ID).Status, b.get(other.ID).Status
					return one == withdrawal.Debited && two == withdrawal.Reversed ||
						two == withdrawal.Debited && one == withdrawal.Reversed
				}, 30*time.Second, 10*time.Millisecond, "not exactly one of them is debited")
			},
			status: "", debits: -1, balance: "10.00000000",
		},
		{
			name:    "debits against reversals",
			arrange: func(b *bench) { b.wallet.before = on(debit, upTo(6, errNever)) },
			happen: func(b *bench, w *withdrawal.Withdrawal) {
				together(b, 20, func(i int) error {
					post := b.ledger.DebitWithdrawal
					if i%2 == 0 {
						post = b.ledger.ReverseWithdrawal
					}
					_, err := post(b.t.Context(), orderOf(w))
					return err
				})
				b.waitCase(w.ID, "debit_exhausted")
			},
			status: withdrawal.Requested, debits: -1, reversals: -1, balance: "100.00000000", cases: "debit_exhausted",
		},
	}
}
