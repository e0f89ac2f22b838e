package demo

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"sync"

	"golang.org/x/sync/errgroup"

	"github.com/walletctl/walletctl/walletcore"
)

// day is the script, and what it expects at the end.
type day struct {
	*platform
	mu       sync.Mutex
	orders   []order // that must be credited, once each
	uncredit []order // that must not
	resends  int
	cases    int
	refused  int
	lost     int
	killed   int
	resent   int // calls of the game provider

	payer *payer
	paid  []order // withdrawals that must be paid, once each
	back  []order // that must be given back, once each
	short []order // that the wallet must refuse
}

const players = 10

func (d *day) player(i int) string { return fmt.Sprintf("player-%s-%d", d.run, i%players) }

// place creates deposits, in parallel over both replicas of casino.
func (d *day) place(ctx context.Context, count int, gateway, prefix string) ([]order, error) {
	orders := make([]order, count)
	for i := range orders {
		orders[i] = order{
			Key: fmt.Sprintf("%s-%s-%d", d.run, prefix, i), Token: "DEMO_ACME_TOKEN", User: d.player(i), Gateway: gateway,
			Amount: fmt.Sprintf("%d.%02d", 10+i, i%100),
		}
	}
	return orders, d.placeAll(ctx, orders)
}

func (d *day) placeAll(ctx context.Context, orders []order) error {
	var group errgroup.Group
	group.SetLimit(8)
	for i := range orders {
		group.Go(func() (err error) {
			orders[i].ID, err = d.placeOne(ctx, replica(i), orders[i], http.StatusCreated)
			return err
		})
	}
	return group.Wait()
}

// placeOne asks for what must be answered with a status, and returns its id.
func (d *day) placeOne(ctx context.Context, replica string, o order, want int) (string, error) {
	status, body, err := d.create(ctx, replica, o)
	if err != nil {
		return "", fmt.Errorf("ask for %s: %w", o.Key, err)
	}
	var answer struct{ ID string }
	if err := json.Unmarshal(body, &answer); err != nil || status != want || answer.ID == "" {
		return "", fmt.Errorf("ask for %s: answered %d: %s", o.Key, status, body)
	}
	return answer.ID, nil
}

// confirm sends the confirmation of each order as often as said, all at once.
func (d *day) confirm(ctx context.Context, orders []order, times int) error {
	var group errgroup.Group
	group.SetLimit(16)
	for i, o := range orders {
		for n := range times {
			group.Go(func() error {
				return d.send(ctx, replica(i+n), o, notice{Status: "confirmed", Payment: "pay-" + o.Key})
			})
		}
	}
	d.mu.Lock()
	d.orders = append(d.orders, orders...)
	d.resends += len(orders) * (times - 1)
	d.mu.Unlock()
	return group.Wait()
}

// send is a webhook that casino has to take.
func (d *day) send(ctx context.Context, replica string, o order, n notice) error {
	status, err := d.notify(ctx, replica, o, n)
	if err != nil {
		return fmt.Errorf("send webhook: %w", err)
	}
	if status/100 != 2 {
		return fmt.Errorf("send webhook: answered %d", status)
	}
	return nil
}

// expect is an answer that has to be a certain refusal.
func (d *day) expect(what string, want, got int, err error) error {
	if err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	if got != want {
		return fmt.Errorf("%s: answered %d, must be %d", what, got, want)
	}
	d.refused++
	return nil
}

func replica(i int) string {
	if i%2 == 0 {
		return casino1
	}
	return casino2
}

// sum is what the credited orders come to.
func sum(orders []order) walletcore.Money {
	var total walletcore.Money
	for _, o := range orders {
		total = total.Add(walletcore.MustParseMoney(o.Amount))
	}
	return total
}

func minorUnits(amount string) (int64, error) {
	m, err := walletcore.ParseMoney(amount)
	return m.Units() / 1_000_000, err
}
