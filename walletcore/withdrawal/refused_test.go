package withdrawal_test

import (
	"time"

	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/walletcore"
	"github.com/walletctl/walletctl/walletcore/withdrawal"
)

func refusals() []scenario {
	return []scenario{
		{
			name:    "gaming has the id with another amount: a person looks at once",
			arrange: func(b *bench) { b.wallet.before = on(debit, func(int) error { return b.debitOther("5") }) },
			happen:  func(b *bench, w *withdrawal.Withdrawal) { b.waitCase(w.ID, "key_conflict") },
			status:  withdrawal.Requested, debits: 1, balance: "95.00000000", cases: "key_conflict",
			verify: func(b *bench, _ *withdrawal.Withdrawal) { require.Equal(b.t, 1, b.wallet.asked(debit)) },
		},
		{
			name:    "the balance does not cover it",
			arrange: func(b *bench) { b.bet("90") },
			happen:  func(b *bench, w *withdrawal.Withdrawal) { b.waitFor(w.ID, withdrawal.Reversed) },
			status:  withdrawal.Reversed, balance: "10.00000000",
			verify: func(b *bench, w *withdrawal.Withdrawal) {
				require.Equal(b.t, "insufficient_funds", b.get(w.ID).Reason)
			},
		},
		{
			name: "bonus does not pay it",
			arrange: func(b *bench) {
				b.bet("90")
				_, err := b.ledger.ChangeBonus(b.t.Context(), walletcore.BonusChange{
					Kind: walletcore.KindBonusGrant, BonusID: "g-1", Wallet: player,
					Amount: walletcore.MustParseMoney("500"), OccurredAt: time.Now(),
				})
				require.NoError(b.t, err)
			},
			happen: func(b *bench, w *withdrawal.Withdrawal) { b.waitFor(w.ID, withdrawal.Reversed) },
			status: withdrawal.Reversed, balance: "10.00000000",
		},
		{
			name: "the wallet is frozen",
			arrange: func(b *bench) {
				b.exec(`update gaming.wallets set frozen = true where id = $1`, player.ID())
			},
			happen: func(b *bench, w *withdrawal.Withdrawal) { b.waitFor(w.ID, withdrawal.Reversed) },
			status: withdrawal.Reversed, balance: "100.00000000",
			verify: func(b *bench, w *withdrawal.Withdrawal) { require.Equal(b.t, "frozen", b.get(w.ID).Reason) },
		},
		{
			name: "it is refused, and an attempt whose reply was lost arrives when there is money again",
			arrange: func(b *bench) {
				b.bet("90")
				b.wallet.before = on(debit, upTo(1, errNever))
			},
			happen: func(b *bench, w *withdrawal.Withdrawal) {
				b.waitFor(w.ID, withdrawal.Reversed)
				b.win("90")
				late, err := b.ledger.DebitWithdrawal(b.t.Context(), orderOf(w))
				require.NoError(b.t, err)
				require.Equal(b.t, walletcore.WithdrawalClosed, late.State)
			},
			status: withdrawal.Reversed, balance: "100.00000000",
		},
		{
			name:   "a replay by another user",
			happen: conflicting("user", func(o *walletcore.WithdrawalOrder) { o.Wallet.User = "u-2" }),
			status: withdrawal.Debited, debits: 1, payouts: 1, balance: "80.00000000",
		},
		{
			name:   "a replay by another brand",
			happen: conflicting("brand", func(o *walletcore.WithdrawalOrder) { o.Wallet.Brand = "south" }),
			status: withdrawal.Debited, debits: 1, payouts: 1, balance: "80.00000000",
		},
		{
			name:   "a replay in another currency, which is another wallet",
			happen: conflicting("currency", func(o *walletcore.WithdrawalOrder) { o.Wallet.Currency = "USD" }),
			status: withdrawal.Debited, debits: 1, payouts: 1, balance: "80.00000000",
		},
		{
			name:   "a replay of another amount",
			happen: conflicting("amount", func(o *walletcore.WithdrawalOrder) { o.Amount = walletcore.MustParseMoney("200") }),
			status: withdrawal.Debited, debits: 1, payouts: 1, balance: "80.00000000",
		},
	}
}
