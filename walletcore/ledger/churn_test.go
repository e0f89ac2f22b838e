package ledger_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/walletcore"
	"github.com/walletctl/walletctl/walletcore/ledger"
	"github.com/walletctl/walletctl/walletcore/wallettest"
)

const (
	churnWorkers = 16
	churnWallets = 4
)

// churnKinds are what a worker asks of a wallet, by chance.
var churnKinds = []walletcore.Kind{
	walletcore.KindDeposit, walletcore.KindBet, walletcore.KindBet, walletcore.KindWin, walletcore.KindRefund,
	walletcore.KindWithdrawal, walletcore.KindWithdrawalReversal,
}

// churn is workers who post batches over few wallets, half of them from the
// first wallet to the last and half the other way round, and who undo and
// repeat what others ask for at the same moment.
type churn struct {
	b       *bench
	ledgers []*ledger.Ledger
	number  atomic.Int64 // of the batch
	latest  atomic.Pointer[[]ledger.Request]

	mu     sync.Mutex
	told   map[churnKey]walletcore.Receipt // what callers were told stands
	asked  map[churnKey]walletcore.Money
	failed error
}

type churnKey struct {
	wallet uuid.UUID
	kind   walletcore.Kind
	id     string
}

// newChurn has its workers share two pools, as two processes would.
func newChurn(b *bench, role wallettest.Role) *churn {
	c := &churn{b: b, told: map[churnKey]walletcore.Receipt{}, asked: map[churnKey]walletcore.Money{}}
	// Deadlocks are looked for before a lock's time is out, and by the ledger's
	// sessions before anybody else's.
	_, err := b.db.Pool(b.t, wallettest.Admin).Exec(b.t.Context(),
		fmt.Sprintf(`alter role gaming in database %q set deadlock_timeout = '200ms'`, b.db.Name))
	require.NoError(b.t, err)
	for range 2 {
		pool := b.db.Pool(b.t, role, func(o *pgxpool.Config) { o.MaxConns = churnWorkers / 2 })
		c.ledgers = append(c.ledgers, b.newLedger(pool))
	}
	var first ledger.Request
	for wallet := range churnWallets {
		first = append(first, c.movement(walletcore.KindDeposit, c.number.Load(), wallet))
	}
	results, err := c.ledgers[0].Post(b.t.Context(), []ledger.Request{first})
	require.NoError(b.t, err)
	require.NoError(b.t, c.note([]ledger.Request{first}, results))
	return c
}

// churnTime is how long they work.
func churnTime() time.Duration {
	if os.Getenv("WALLET_SOAK") == "1" {
		return time.Minute
	}
	return 5 * time.Second
}

// run has the workers work, and meanwhile does what else is to happen.
func (c *churn) run(t *testing.T, meanwhile func(context.Context)) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), churnTime())
	defer cancel()
	var wait sync.WaitGroup
	for worker := range churnWorkers {
		wait.Go(func() { c.work(ctx, t.Context(), worker) })
	}
	meanwhile(ctx)
	wait.Wait()
	require.NoError(t, c.failed)
	t.Logf("%d batches, %d entries, %d retries", c.number.Load(), len(c.told), c.retries())
}

// work posts until ctx ends; what was begun is ended.
func (c *churn) work(ctx, alive context.Context, worker int) {
	dice := rand.New(rand.NewPCG(uint64(worker), 1))
	for ctx.Err() == nil {
		batch := c.next(dice, worker%2 == 0)
		results, err := c.ledgers[worker%len(c.ledgers)].Post(alive, batch)
		if err == nil {
			err = c.note(batch, results)
		}
		if err != nil {
			c.fail(err)
			return
		}
	}
}

// next is a new batch, or what somebody else is posting, the other way round.
func (c *churn) next(dice *rand.Rand, backwards bool) []ledger.Request {
	if latest := c.latest.Load(); latest != nil && dice.IntN(3) == 0 {
		again := slices.Clone(*latest)
		slices.Reverse(again)
		return again
	}
	batch := c.batch(dice, backwards)
	c.latest.Store(&batch)
	return batch
}

func (c *churn) fail(err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.failed = errors.Join(c.failed, err)
}

// batch has a movement for each wallet. What undoes is for a recent batch, so
// that it comes before, after or while that is posted. Some neighbours stand
// whole or not at all.
func (c *churn) batch(dice *rand.Rand, backwards bool) []ledger.Request {
	number := c.number.Add(1)
	wallets := make([]int, churnWallets)
	for i := range wallets {
		wallets[i] = i
	}
	if backwards {
		slices.Reverse(wallets)
	}
	var requests []ledger.Request
	for _, wallet := range wallets {
		kind, of := churnKinds[dice.IntN(len(churnKinds))], number
		if _, undoes := kind.Undoes(); undoes {
			of = max(1, number+3-dice.Int64N(churnWorkers*2))
		}
		m := c.movement(kind, of, wallet)
		if last := len(requests) - 1; last >= 0 && dice.IntN(4) == 0 {
			requests[last] = append(requests[last], m)
		} else {
			requests = append(requests, ledger.Request{m})
		}
	}
	return requests
}

// movement is the same whoever asks for it: the amount follows from the
// batch's number.
func (c *churn) movement(kind walletcore.Kind, number int64, wallet int) ledger.Movement {
	id := fmt.Sprintf("%d/%d", number, wallet)
	return c.b.play(kind, id, "1", func(m *ledger.Movement) {
		m.Wallet.User, m.RoundID, m.Rules.RefundAfterWin = fmt.Sprintf("churn-%d", wallet), "round "+id, true
		m.Amount = walletcore.MoneyFromUnits((1 + number%5) * 1_00000000)
	})
}

// note keeps what the caller was told. Whoever asks for the same is told the
// same.
func (c *churn) note(batch []ledger.Request, results []ledger.Result) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	for i, request := range batch {
		for j := range request {
			m, outcome := &request[j], &results[i].Outcomes[j]
			var refused *walletcore.RefusedError
			switch {
			case errors.Is(outcome.Err, ledger.ErrNotPosted):
				continue
			case errors.As(outcome.Err, &refused) && refused.Code == walletcore.RefusedNoFunds:
				continue
			case outcome.Err != nil:
				return fmt.Errorf("%s %s: %w", m.Kind, m.ExternalID, outcome.Err)
			}
			k := churnKey{m.Wallet.ID(), m.Kind, m.ExternalID}
			if before, ok := c.told[k]; ok && before != outcome.Posted.Receipt {
				return fmt.Errorf("%s %s: told %v, then %v", m.Kind, m.ExternalID, before, outcome.Posted.Receipt)
			}
			c.told[k], c.asked[k] = outcome.Posted.Receipt, m.Amount
		}
	}
	return nil
}

func (c *churn) retries() (sum int64) {
	for _, l := range c.ledgers {
		sum += l.Stats().Retries.Load()
	}
	return sum
}

// requireConserved asserts that the ledger holds what the callers were told,
// all of it and nothing else, and that the wallets hold what was asked for.
func (c *churn) requireConserved() {
	t := c.b.t
	t.Helper()
	rows, err := c.b.owner.Query(t.Context(), `
select wallet_id, seq, kind::text, external_id, coalesce(mark::text, ''), real_before, real_after, bonus_before, bonus_after, recorded_at
from gaming.entries
where seq > 0`)
	require.NoError(t, err)
	defer rows.Close()
	entries := 0
	for ; rows.Next(); entries++ {
		var r walletcore.Receipt
		require.NoError(t, rows.Scan(&r.WalletID, &r.Seq, &r.Kind, &r.ExternalID, &r.Mark,
			&r.RealBefore, &r.RealAfter, &r.BonusBefore, &r.BonusAfter, &r.RecordedAt))
		r.RecordedAt = r.RecordedAt.UTC()
		require.Equal(t, r, c.told[churnKey{r.WalletID, r.Kind, r.ExternalID}])
	}
	require.NoError(t, rows.Err())
	require.Equal(t, len(c.told), entries, "entries that somebody was told of and that are not there")

	var sum walletcore.Money
	for k, receipt := range c.told {
		switch {
		case receipt.Mark != "":
		case k.kind == walletcore.KindBet || k.kind == walletcore.KindWithdrawal:
			sum = sum.Sub(c.asked[k])
		default:
			sum = sum.Add(c.asked[k])
		}
	}
	var held walletcore.Money
	require.NoError(t, c.b.owner.QueryRow(t.Context(), `select sum(real + bonus) from gaming.wallets`).Scan(&held))
	require.Equal(t, sum, held)
	c.b.requireClosed()
}
