package withdrawal_test

import (
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/walletcore"
	"github.com/walletctl/walletctl/walletcore/inbox"
	"github.com/walletctl/walletctl/walletcore/ledger"
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

// debitOther takes another amount under the id of the one withdrawal there is.
func (b *bench) debitOther(amount string) error {
	page, err := b.List(b.t.Context(), withdrawal.Filter{})
	if err != nil {
		return err
	}
	o := orderOf(&page[0])
	o.Amount = walletcore.MustParseMoney(amount)
	_, err = b.ledger.DebitWithdrawal(b.t.Context(), o)
	return err
}

// callOff rejects the one withdrawal there is.
func (b *bench) callOff() error {
	page, err := b.List(b.t.Context(), withdrawal.Filter{})
	if err != nil {
		return err
	}
	_, err = b.Apply(b.t.Context(), outcome(&page[0], walletcore.PaymentRejected))
	return err
}

func (b *bench) play(kind walletcore.Kind, amount string) error {
	results, err := b.ledger.Post(b.t.Context(), []ledger.Request{{{
		Wallet: player, Kind: kind, ExternalID: unique(string(kind)), Amount: walletcore.MustParseMoney(amount),
		Actor: "games", OccurredAt: time.Now(),
	}}})
	if err != nil {
		return err
	}
	return results[0].Err()
}

func (b *bench) bet(amount string) {
	b.t.Helper()
	require.NoError(b.t, b.play(walletcore.KindBet, amount))
}

func (b *bench) win(amount string) {
	b.t.Helper()
	require.NoError(b.t, b.play(walletcore.KindWin, amount))
}

// tryBet bets, and takes no for an answer.
func (b *bench) tryBet(amount string) error {
	err := b.play(walletcore.KindBet, amount)
	var refused *walletcore.RefusedError
	if errors.As(err, &refused) && refused.Code == walletcore.RefusedNoFunds {
		return nil
	}
	return err
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
