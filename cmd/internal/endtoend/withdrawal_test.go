package endtoend_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	amqp "github.com/rabbitmq/amqp091-go"
	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/walletcore/rpc"
	"github.com/walletctl/walletctl/walletcore/wallettest"
)

// withdrawal is a withdrawal as its brand's site knows it.
type withdrawal struct {
	ID, Status, Reason, Brand, User, Currency, Amount, Gateway, Account string
}

// rich returns a platform whose player u-1 of acme has 100.
func rich(t *testing.T, base settings) *platform {
	t.Helper()
	p := newRunning(t, base)
	p.fund()
	return p
}

func (p *platform) fund() {
	p.t.Helper()
	d := p.create(order{amount: "100"})
	p.pay(d)
	p.waitStatus(d, "credited")
}

func (p *platform) withdraw(amount, key string) withdrawal {
	p.t.Helper()
	body := fmt.Sprintf(`{"user":"u-1","currency":"EUR","amount":%q,"gateway":"pix","destination":"token-1"}`, amount)
	var a answer
	await(p.t, "casino to take the withdrawal", func() bool {
		var err error
		a, err = p.site(acme, http.MethodPost, "/withdrawals", body, http.Header{"Idempotency-Key": {key}})
		return err == nil && (a.status == http.StatusCreated || a.status == http.StatusOK)
	})
	var w withdrawal
	require.NoError(p.t, json.Unmarshal([]byte(a.body), &w))
	return w
}

func (p *platform) withdrawal(id string) withdrawal {
	p.t.Helper()
	a, err := p.site(acme, http.MethodGet, "/withdrawals/"+id, "", nil)
	require.NoError(p.t, err)
	require.Equal(p.t, http.StatusOK, a.status, a.body)
	var w withdrawal
	require.NoError(p.t, json.Unmarshal([]byte(a.body), &w))
	return w
}

func (p *platform) waitWithdrawal(w withdrawal, want string) {
	p.t.Helper()
	await(p.t, "withdrawal "+w.ID+" to be "+want, func() bool { return p.withdrawal(w.ID).Status == want })
}

// tell signs what the withdrawal's own gateway account says about its payout.
func (p *platform) tell(w withdrawal, status string) {
	p.t.Helper()
	p.requireTaken(w.Gateway+"/"+w.Account, fmt.Sprintf(
		`{"event_id":%q,"type":"payout.%s","withdrawal_id":%q,"payment_id":"po-%s","status":%q,"amount":%q,"currency":%q,"occurred_at":%q}`,
		uuid.NewString(), status, w.ID, w.ID, status, w.Amount, w.Currency, time.Now().UTC().Format(time.RFC3339)))
}

// payouts takes what was asked to be paid, by message id.
func (p *platform) payouts() map[string]string {
	p.t.Helper()
	asked := map[string]string{}
	for _, m := range p.broker.Drain(p.t, "casino.payouts") {
		var body struct {
			WithdrawalID string `json:"withdrawal_id"`
		}
		require.NoError(p.t, json.Unmarshal(m.Body, &body))
		asked[m.MessageId] = body.WithdrawalID
	}
	return asked
}

// requireEnd asserts how a withdrawal must end: with one debit and at most one
// reversal, as its status says, and the chain closed.
func (p *platform) requireEnd(w withdrawal, status, balance string) {
	p.t.Helper()
	p.waitWithdrawal(w, status)
	const moved = `select count(*) from gaming.entries where external_id = $1 and kind::text = $2 and mark is null`
	debits, reversals := p.count(moved, w.ID, "withdrawal"), p.count(moved, w.ID, "withdrawal_reversal")
	switch status {
	case "reversed":
		require.Equal(p.t, debits, reversals)
	default:
		require.Equal(p.t, []int{1, 0}, []int{debits, reversals}, "debits and reversals")
	}
	require.Equal(p.t, []string{balance}, p.texts(`select real::text from gaming.wallets`))
	wallettest.RequireClosed(p.t, p.admin, p.keys)
	p.requireChainCheck()
}

func TestWithdrawal_ItsWayFromTheSiteToPaid(t *testing.T) {
	t.Parallel()
	p := rich(t, nil)
	w := p.withdraw("20", "k-1")
	require.Equal(t, "requested", w.Status)
	p.waitWithdrawal(w, "debited")
	await(t, "the payout to be asked for", func() bool { return p.broker.Depth(t, "casino.payouts") == 1 })
	require.Equal(t, w.ID, p.withdraw("20", "k-1").ID, "a resend")
	p.tell(w, "paid")
	p.tell(w, "paid")
	p.requireEnd(w, "paid", "80.00000000")
	require.Equal(t, map[string]string{"payout.requested:" + w.ID: w.ID}, p.payouts())
}

func TestWithdrawal_AnOutcomeByTheQueueFromWhoeverPays(t *testing.T) {
	t.Parallel()
	p := rich(t, nil)
	conn, err := amqp.Dial(p.broker.URL(t, wallettest.PayoutsBroker))
	require.NoError(t, err)
	t.Cleanup(func() { _ = conn.Close() })
	payer, err := conn.Channel()
	require.NoError(t, err)
	requests, err := payer.Consume("casino.payouts", "", false, false, false, false, nil)
	require.NoError(t, err)

	paid, rejected := p.withdraw("20", "k-1"), p.withdraw("30", "k-2")
	for range 2 {
		request := <-requests
		var asked struct {
			WithdrawalID string `json:"withdrawal_id"`
			Brand        string `json:"brand"`
			Gateway      string `json:"gateway"`
			Account      string `json:"account"`
			Amount       string `json:"amount"`
			Currency     string `json:"currency"`
		}
		require.NoError(t, json.Unmarshal(request.Body, &asked))
		status := map[string]string{paid.ID: "paid", rejected.ID: "rejected"}[asked.WithdrawalID]
		body := fmt.Sprintf(`{"withdrawal_id":%q,"payout_id":"po-%s","brand":%q,"gateway":%q,"account":%q,"status":%q,
			"amount":%q,"currency":%q,"reason":"by the bank"}`, asked.WithdrawalID, asked.WithdrawalID, asked.Brand, asked.Gateway,
			asked.Account, status, asked.Amount, asked.Currency)
		for _, id := range []string{"o-" + asked.WithdrawalID, "o-" + asked.WithdrawalID, "again-" + asked.WithdrawalID} {
			require.NoError(t, payer.PublishWithContext(t.Context(), "casino.outcomes", "outcome", true, false, amqp.Publishing{
				MessageId: id, UserId: "payouts", DeliveryMode: amqp.Persistent, Body: []byte(body),
			}))
		}
		require.NoError(t, request.Ack(false))
	}
	p.waitWithdrawal(rejected, "reversed")
	require.Equal(t, "by the bank", p.withdrawal(rejected.ID).Reason)
	p.requireEnd(paid, "paid", "80.00000000")
	p.requireDeadLetters(expected{})
}

func TestWithdrawal_WhatTheWalletRefusesIsRejectedWithItsReason(t *testing.T) {
	t.Parallel()
	p := rich(t, nil)
	w := p.withdraw("100.01", "k-1")
	p.requireEnd(w, "reversed", "100.00000000")
	require.Equal(t, "insufficient_funds", p.withdrawal(w.ID).Reason)
	require.Zero(t, p.count(`select count(*) from casino.cases`))
	require.Empty(t, p.payouts())
}

func TestWithdrawal_GamingKilledAfterItsCommitAndBeforeItsReply(t *testing.T) {
	t.Parallel()
	p := newPlatform(t, nil)
	network := p.startGamingBehind()
	p.startCasino(nil)
	p.fund()

	network.DropRequests(true)
	w := p.withdraw("20", "k-1")
	p.waitMoved(w, "withdrawal")
	require.Equal(t, "requested", p.withdrawal(w.ID).Status, "the reply was heard")
	p.gaming.Load().Kill()
	p.startGaming(nil)
	p.waitWithdrawal(w, "debited")

	p.tell(w, "rejected")
	p.requireEnd(w, "reversed", "100.00000000")
}

func (p *platform) waitMoved(w withdrawal, kind string) {
	p.t.Helper()
	await(p.t, "the "+kind+" of "+w.ID, func() bool {
		return p.count(`select count(*) from gaming.entries where external_id = $1 and kind::text = $2`, w.ID, kind) == 1
	})
}

func TestWithdrawal_CasinoKilledAtEachStep(t *testing.T) {
	t.Parallel()
	// The job of a killed casino is taken over after four times CREDIT_TIMEOUT.
	quick := settings{"RPC_TIMEOUT": "1s", "CREDIT_TIMEOUT": "1500ms", "CREDIT_RETRY_BASE": "500ms"}
	for _, step := range []struct {
		name, status, balance string
		drop                  bool // the reply of gaming does not arrive
		call                  func(p *platform, w withdrawal)
		committed             string // what is in the ledger when casino dies
		after                 func(p *platform, w withdrawal)
	}{
		{
			name: "the debit is committed and not heard of", drop: true, committed: "withdrawal",
			status: "debited", balance: "80.00000000",
		},
		{
			name: "the debit is committed and not heard of, then it is rejected", drop: true, committed: "withdrawal",
			after:  func(p *platform, w withdrawal) { p.tell(w, "rejected") },
			status: "reversed", balance: "100.00000000",
		},
		{
			name: "the reversal is committed and not heard of", committed: "withdrawal_reversal",
			call: func(p *platform, w withdrawal) {
				p.waitWithdrawal(w, "debited")
				p.gaming.Load().Kill()
				p.startGamingBehind().DropRequests(true)
				p.tell(w, "rejected")
			},
			status: "reversed", balance: "100.00000000",
		},
	} {
		t.Run(strings.ReplaceAll(step.name, " ", "_"), func(t *testing.T) {
			t.Parallel()
			p := newPlatform(t, quick)
			network := p.startGamingBehind()
			casino := p.startCasino(nil)
			p.fund()
			network.DropRequests(step.drop)
			w := p.withdraw("20", "k-1")
			if step.call != nil {
				step.call(p, w)
			}
			p.waitMoved(w, step.committed)
			casino.Kill()
			p.gaming.Load().Kill()
			p.startGaming(nil)
			p.startCasino(nil)
			if step.after != nil {
				step.after(p, w)
			}
			p.requireEnd(w, step.status, step.balance)
			require.LessOrEqual(t, len(p.payouts()), 1)
		})
	}
}

func TestWithdrawal_FiftyReplaysOverThreeProcessesDebitOnce(t *testing.T) {
	t.Parallel()
	p := rich(t, nil)
	p.startGaming(nil)
	p.startGaming(nil)
	p.broker.WaitForConsumers(t, rpc.CallsQueue, 3)
	ids := make([]string, 50)
	var all sync.WaitGroup
	body := `{"user":"u-1","currency":"EUR","amount":"20","gateway":"pix","destination":"token-1"}`
	for i := range ids {
		all.Go(func() {
			a, err := p.site(acme, http.MethodPost, "/withdrawals", body, http.Header{"Idempotency-Key": {"k-1"}})
			var w withdrawal
			if err == nil {
				err = json.Unmarshal([]byte(a.body), &w)
			}
			if err != nil {
				t.Error(err)
			}
			ids[i] = w.ID
		})
	}
	all.Wait()
	for _, id := range ids {
		require.Equal(t, ids[0], id)
	}
	p.requireEnd(withdrawal{ID: ids[0]}, "debited", "80.00000000")
}

func TestWithdrawal_ManyAtOnceNeverSpendTheSameMoney(t *testing.T) {
	t.Parallel()
	p := rich(t, nil)
	p.startGaming(nil)
	p.startGaming(nil)
	var made []withdrawal
	for i := range 12 {
		made = append(made, p.withdraw("30", fmt.Sprint("k-", i)))
	}
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	for _, w := range made {
		for status := ""; status != "debited" && status != "reversed"; status = p.withdrawal(w.ID).Status {
			require.NoError(t, ctx.Err(), "withdrawals do not come to an end")
		}
	}
	require.Equal(t, 3, p.count(`select count(*) from casino.withdrawals where status = 'debited'`))
	require.Equal(t, []string{"10.00000000"}, p.texts(`select real::text from gaming.wallets`))
	wallettest.RequireClosed(t, p.admin, p.keys)
	p.requireChainCheck()
}

func TestWithdrawal_AnotherBrandNeitherSeesNorMovesIt(t *testing.T) {
	t.Parallel()
	p := rich(t, nil)
	w := p.withdraw("20", "k-1")
	p.waitWithdrawal(w, "debited")
	a, err := p.site(bravo, http.MethodGet, "/withdrawals/"+w.ID, "", nil)
	require.NoError(t, err)
	require.Equal(t, http.StatusNotFound, a.status)
	foreign := w
	foreign.Account = bravo + "-main"
	p.tell(foreign, "rejected")
	await(t, "the case", func() bool { return p.count(`select count(*) from casino.cases where kind = 'brand_mismatch'`) == 1 })
	p.requireEnd(w, "debited", "80.00000000")
}
