package demo

import (
	"bufio"
	"context"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"
)

const replayedMovements = `walletctl_ledger_movements_total{outcome="replayed"}`

// waitFor looks until the condition holds, or patience is at an end.
func (p *platform) waitFor(ctx context.Context, what string, holds func(context.Context) (bool, error)) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	for {
		ok, err := holds(ctx)
		if ok && err == nil {
			return nil
		}
		select {
		case <-time.After(25 * time.Millisecond):
		case <-ctx.Done():
			if err == nil {
				err = ctx.Err()
			}
			return fmt.Errorf("wait for %s: %w", what, err)
		}
	}
}

// settle waits until every confirmed order is credited.
func (d *day) settle(ctx context.Context) error {
	return d.waitFor(ctx, "the credits", func(ctx context.Context) (bool, error) {
		credited, err := d.countDeposits(ctx, d.orders, "credited")
		return credited == len(d.orders), err
	})
}

func (p *platform) countDeposits(ctx context.Context, orders []order, status string) (n int, err error) {
	err = p.casinoDB.QueryRow(ctx, `
select count(*)
from casino.deposits
where id = any($1) and status = $2::text::casino.deposit_status`, ids(orders), status).Scan(&n)
	return n, err
}

func (p *platform) countCases(ctx context.Context, orders []order) (n int, err error) {
	err = p.casinoDB.QueryRow(ctx, `
select count(distinct subject_id)
from casino.cases
where subject_id = any($1)`, ids(orders)).Scan(&n)
	return n, err
}

func (p *platform) countEntries(ctx context.Context, orders []order) (n int, err error) {
	err = p.gamingDB.QueryRow(ctx, `
select count(*)
from gaming.receipts
where kind = 'deposit' and external_id = any($1)`, ids(orders)).Scan(&n)
	return n, err
}

func ids(orders []order) []string {
	list := make([]string, len(orders))
	for i, o := range orders {
		list[i] = o.ID
	}
	return list
}

// metric reads one counter of a service.
func (p *platform) metric(ctx context.Context, name, series string) (int, error) {
	_, body, err := p.call(ctx, http.MethodGet, p.services[name].URL()+"/metrics", nil, nil)
	if err != nil {
		return 0, err
	}
	lines := bufio.NewScanner(strings.NewReader(string(body)))
	for lines.Scan() {
		if value, ok := strings.CutPrefix(lines.Text(), series+" "); ok {
			return strconv.Atoi(value)
		}
	}
	return 0, fmt.Errorf("%s has no metric %s", name, series)
}
