package history_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"github.com/walletctl/walletctl/backfill"
	"github.com/walletctl/walletctl/walletcore"
)

// header is that of our own form of CSV.
const header = "brand,user,currency,kind,id,real,bonus,real_after,bonus_after,reference,round,occurred_at"

// movement is a row of a source that a test makes.
type movement struct {
	user, kind, id string
	real, bonus    walletcore.Money
	after          walletcore.Parts
	round          string
	at             time.Time
}

func (m *movement) line() string {
	return strings.Join([]string{
		legacy, m.user, "EUR", m.kind, m.id, m.real.String(), m.bonus.String(), m.after.Real.String(), m.after.Bonus.String(), "",
		m.round, m.at.Format(time.RFC3339Nano),
	}, ",")
}

// past is the history of some wallets on another platform, in the order in
// which it happened.
type past struct {
	movements []movement
	balances  map[string]walletcore.Parts
}

// beginning is when the other platform began.
var beginning = time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC)

// live makes a history that is consistent: so many wallets, so many movements
// each.
func live(seed uint64, wallets, each int) *past {
	random := rand.New(rand.NewPCG(seed, 1))
	p := &past{balances: map[string]walletcore.Parts{}}
	for n := range each {
		for w := range wallets {
			p.move(random, fmt.Sprintf("player-%d", w), n, w)
		}
	}
	return p
}

func (p *past) move(random *rand.Rand, user string, n, w int) {
	cents := func(n int64) walletcore.Money { return walletcore.MoneyFromUnits(n * 1_000_000) }
	at := beginning.Add(time.Duration(len(p.movements)) * time.Second)
	m := movement{user: user, id: fmt.Sprintf("old:%d-%d", w, n), at: at}
	have := p.balances[user]
	switch {
	case have.Real.Units() < 500_000_000 || n == 0:
		m.kind, m.real = "deposit", cents(1_000+random.Int64N(9_000))
	case n%7 == 3:
		m.kind, m.bonus = "bonus_grant", cents(1+random.Int64N(500))
	case n%5 == 4:
		m.kind, m.real = "win", cents(random.Int64N(400))
		m.round = fmt.Sprintf("r-%d-%d", w, n-1)
	case n%11 == 6:
		m.kind, m.real = "withdrawal", cents(-1-random.Int64N(100))
	default:
		m.kind, m.real = "bet", cents(-1-random.Int64N(300))
		m.round = fmt.Sprintf("r-%d-%d", w, n)
	}
	m.after = walletcore.Parts{Real: have.Real.Add(m.real), Bonus: have.Bonus.Add(m.bonus)}
	p.balances[user] = m.after
	p.movements = append(p.movements, m)
}

// csv writes it in our own form.
func (p *past) csv() string {
	lines := []string{header}
	for i := range p.movements {
		lines = append(lines, p.movements[i].line())
	}
	return strings.Join(lines, "\n") + "\n"
}

// of are the movements of a user.
func (p *past) of(user string) []*movement {
	var list []*movement
	for i := range p.movements {
		if p.movements[i].user == user {
			list = append(list, &p.movements[i])
		}
	}
	return list
}

// opening are the balances that the ledger begins with.
func (p *past) opening() []backfill.Balance {
	var list []backfill.Balance
	for user, have := range p.balances {
		list = append(list, backfill.Balance{User: user, Currency: "EUR", Real: have.Real, Bonus: have.Bonus})
	}
	slices.SortFunc(list, func(a, b backfill.Balance) int { return strings.Compare(a.User, b.User) })
	return list
}

// shuffled has the same movements in another order.
func (p *past) shuffled(seed uint64) *past {
	list := slices.Clone(p.movements)
	rand.New(rand.NewPCG(seed, 2)).Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	return &past{movements: list, balances: p.balances}
}
