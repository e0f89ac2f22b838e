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
}

// place creates deposits, in parallel over both replicas of casino.
func (d *day) place(ctx context.Context, count int, gateway, prefix string) ([]order, error) {
	orders := make([]order, count)
	var group errgroup.Group
	group.SetLimit(8)
	for i := range orders {
		group.Go(func() error {
			o := order{
				Key: fmt.Sprintf("%s-%s-%d", d.run, prefix, i), Token: "DEMO_ACME_TOKEN",
				User: fmt.Sprintf("player-%s-%d", d.run, i%10), Gateway: gateway,
				Amount: fmt.Sprintf("%d.%02d", 10+i, i%100),
			}
			var err error
			orders[i], err = d.placeOne(ctx, replica(i), o)
			return err
		})
	}
	return orders, group.Wait()
}

func (d *day) placeOne(ctx context.Context, replica string, o order) (order, error) {
	status, body, err := d.create(ctx, replica, o)
	if err != nil {
		return o, fmt.Errorf("create deposit: %w", err)
	}
	if status != http.StatusCreated {
		return o, fmt.Errorf("create deposit: answered %d: %s", status, body)
	}
	var created struct{ ID string }
	if err := json.Unmarshal(body, &created); err != nil || created.ID == "" {
		return o, fmt.Errorf("create deposit: answered without an id: %s", body)
	}
	o.ID = created.ID
	return o, nil
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
