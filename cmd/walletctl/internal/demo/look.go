package demo

import (
	"bufio"
	"context"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/walletctl/walletctl/walletcore"
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

func (p *platform) countDeposits(ctx context.Context, orders []order, status string) (int, error) {
	return count(ctx, p.casinoDB, `
select count(*)
from casino.deposits
where id = any($1) and status::text = $2`, ids(orders), status)
}

func (p *platform) countWithdrawals(ctx context.Context, orders []order, status string) (int, error) {
	return count(ctx, p.casinoDB, `
select count(*)
from casino.withdrawals
where id = any($1) and status::text = $2`, ids(orders), status)
}

func (p *platform) countCases(ctx context.Context, orders []order) (int, error) {
	return count(ctx, p.casinoDB, `
select count(distinct subject_id)
from casino.cases
where subject_id = any($1)`, ids(orders))
}

// countMessages counts what was handled about withdrawals.
func (p *platform) countMessages(ctx context.Context, orders []order) (int, error) {
	return count(ctx, p.casinoDB, `
select count(*)
from casino.gateway_messages
where withdrawal_id = any($1)`, ids(orders))
}

// countReceipts counts what gaming has committed.
func (p *platform) countReceipts(ctx context.Context, orders []order, kind walletcore.Kind) (int, error) {
	return count(ctx, p.gamingDB, `
select count(*)
from gaming.receipts
where external_id = any($1) and kind::text = $2`, ids(orders), string(kind))
}

func count(ctx context.Context, db *pgxpool.Pool, query string, args ...any) (n int, err error) {
	err = db.QueryRow(ctx, query, args...).Scan(&n)
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
