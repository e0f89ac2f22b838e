package ledger_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/anishathalye/porcupine"
	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/walletcore"
	"github.com/walletctl/walletctl/walletcore/ledger"
	"github.com/walletctl/walletctl/walletcore/wallettest"
)

// checkTime bounds the check of one history, which is hard where histories are
// long.
const checkTime = time.Minute

// recorder keeps a history: what was asked and told, from when to when by this
// process's monotonic clock.
type recorder struct {
	began time.Time
	mu    sync.Mutex
	all   []porcupine.Operation
	err   error
}

func (r *recorder) post(t *testing.T, l *ledger.Ledger, client int, movements ...ledger.Movement) {
	requests := make([]ledger.Request, len(movements))
	for i, m := range movements {
		requests[i] = ledger.Request{m}
	}
	call := time.Since(r.began).Nanoseconds()
	results, err := l.Post(t.Context(), requests)
	end := time.Since(r.began).Nanoseconds()

	r.mu.Lock()
	defer r.mu.Unlock()
	for i := range results {
		var answer told
		if answer, err = toldOf(&results[i]); err != nil {
			break
		}
		r.all = append(r.all, porcupine.Operation{ClientId: client, Input: movements[i], Output: answer, Call: call, Return: end})
	}
	if err != nil {
		r.err = err
	}
}

func TestPost_ConcurrentHistoriesAreLinearizable(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	ledgers := []*ledger.Ledger{b.ledger, b.newLedger(b.db.Pool(t, wallettest.Gaming))}
	histories := 12
	if os.Getenv("WALLET_SOAK") == "1" {
		histories = 200
	}
	overlaps, replays, marks := 0, 0, 0
	for number := range histories {
		history := b.history(ledgers, number)
		result := porcupine.CheckOperationsTimeout(sequential, history, checkTime)
		require.Equal(t, porcupine.Ok, result, describe(history))
		for i, o := range history {
			answer := o.Output.(told)
			replays += count(answer.replayed)
			marks += count(answer.entry.mark != "")
			overlaps += count(i > 0 && o.Call < history[i-1].Return)
		}
	}
	t.Logf("%d operations at the same time as another, %d replays, %d marks", overlaps, replays, marks)
	require.Positive(t, min(overlaps, replays, marks), "the histories show too little")
	b.requireClosed()
}

func count(is bool) int {
	if is {
		return 1
	}
	return 0
}

// history has six clients play with two wallets, over two ledgers, and with so
// few ids that each is used by several. Some post to both wallets in one
// batch, in opposite orders.
func (b *bench) history(ledgers []*ledger.Ledger, number int) []porcupine.Operation {
	b.t.Helper()
	t := b.t.(*testing.T)
	r := &recorder{began: time.Now()}
	start := make(chan struct{})
	var wait sync.WaitGroup
	for client := range 6 {
		dice := rand.New(rand.NewPCG(uint64(number), uint64(client)))
		wait.Go(func() {
			<-start
			for range 6 {
				movements := []ledger.Movement{b.draw(dice, number, 0), b.draw(dice, number, 1)}
				if client%2 == 0 {
					slices.Reverse(movements)
				}
				r.post(t, ledgers[client%len(ledgers)], client, movements[:1+dice.IntN(2)]...)
			}
		})
	}
	close(start)
	wait.Wait()
	require.NoError(t, r.err)
	slices.SortFunc(r.all, func(a, b porcupine.Operation) int { return int(a.Call - b.Call) })
	return r.all
}

var linearKinds = []walletcore.Kind{
	walletcore.KindDeposit, walletcore.KindDeposit, walletcore.KindBonusGrant,
	walletcore.KindBet, walletcore.KindBet, walletcore.KindBet, walletcore.KindWin, walletcore.KindRefund,
	walletcore.KindWithdrawal, walletcore.KindWithdrawalReversal,
}

func (b *bench) draw(dice *rand.Rand, number, wallet int) ledger.Movement {
	kind := linearKinds[dice.IntN(len(linearKinds))]
	user := fmt.Sprintf("linear-%d-%d", number, wallet)
	id := fmt.Sprintf("%s/%d", user, dice.IntN(3))
	amount := fmt.Sprint(1 + dice.IntN(8)/7) // seldom another
	if _, undoes := kind.Undoes(); undoes {
		amount = "0"
	}
	return b.play(kind, id, amount, func(m *ledger.Movement) {
		m.Wallet.User, m.Rules.RefundAfterWin = user, true
	})
}

func describe(history []porcupine.Operation) string {
	text := "the history is not linearizable:\n"
	for _, o := range history {
		text += fmt.Sprintf("%d: %d to %d: %s: %s\n", o.ClientId, o.Call, o.Return,
			o.Input.(ledger.Movement).Wallet.User, sequential.DescribeOperation(o.Input, o.Output))
	}
	return text
}
