package demo

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"

	"github.com/walletctl/walletctl/walletcore"
	"github.com/walletctl/walletctl/walletcore/broker"
	"github.com/walletctl/walletctl/walletcore/deposit"
)

// verify asserts what must be true of the day, in both records and on the
// broker.
func (d *day) verify(ctx context.Context) error {
	for _, check := range []func(context.Context) error{d.verifyLedger, d.verifyUncredited, d.verifyEffects, d.verifyPayday} {
		if err := check(ctx); err != nil {
			return err
		}
	}
	return nil
}

// verifyLedger: one entry for each order, of its amount.
func (d *day) verifyLedger(ctx context.Context) error {
	var entries int
	var total walletcore.Money
	err := d.gamingDB.QueryRow(ctx, `
select count(*), coalesce(sum(e.real_after - e.real_before), 0)
from gaming.receipts r
join gaming.entries e using (wallet_id, seq)
where r.kind = 'deposit' and r.external_id = any($1)`, ids(d.orders)).Scan(&entries, &total)
	if err != nil {
		return fmt.Errorf("read the ledger: %w", err)
	}
	if entries != len(d.orders) || total != sum(d.orders) {
		return fmt.Errorf("the ledger has %d entries of %s, must be %d of %s", entries, total, len(d.orders), sum(d.orders))
	}
	return nil
}

func (d *day) verifyUncredited(ctx context.Context) error {
	entries, err := d.countReceipts(ctx, d.uncredit, walletcore.KindDeposit)
	if err != nil {
		return err
	}
	if entries != 0 {
		return fmt.Errorf("%d deposits were credited that must not be", entries)
	}
	return nil
}

// verifyEffects reads what was published for promotions and affiliates: each
// deposit once in each queue, by its message id.
func (d *day) verifyEffects(ctx context.Context) error {
	conn, err := broker.Dial(ctx, d.options.CasinoAMQPURL.Reveal(), broker.Options{Name: "demo"})
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }()
	for _, name := range []string{"promotions", "affiliates"} {
		seen, err := d.readEffects(ctx, conn, "casino.effects."+name)
		if err != nil {
			return fmt.Errorf("effect %s: %w", name, err)
		}
		for _, o := range d.orders {
			if seen[o.ID] != 1 {
				return fmt.Errorf("effect %s of deposit %s was published under %d ids, must be 1", name, o.ID, seen[o.ID])
			}
		}
		for _, o := range d.uncredit {
			if seen[o.ID] != 0 {
				return fmt.Errorf("effect %s was published for deposit %s, which was never confirmed", name, o.ID)
			}
		}
	}
	return nil
}

// readEffects takes messages until each order's is there, and counts the
// different message ids by deposit.
func (d *day) readEffects(ctx context.Context, conn *broker.Conn, queue string) (map[string]int, error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	var mu sync.Mutex
	ids, byDeposit := map[string]bool{}, map[string]int{}
	wanted := map[string]bool{}
	for _, o := range d.orders {
		wanted[o.ID] = true
	}
	err := conn.Consume(ctx, broker.ConsumerOptions{Queue: queue, DeadLetter: "casino.dlx"},
		func(_ context.Context, delivery broker.Delivery) error {
			var effect deposit.Effect
			if err := json.Unmarshal(delivery.Body, &effect); err != nil {
				return &broker.Unprocessable{Reason: err.Error()}
			}
			mu.Lock()
			defer mu.Unlock()
			if !ids[delivery.ID] {
				ids[delivery.ID] = true
				byDeposit[effect.DepositID]++
			}
			delete(wanted, effect.DepositID)
			if len(wanted) == 0 {
				cancel()
			}
			return nil
		})
	mu.Lock()
	defer mu.Unlock()
	if err == nil && len(wanted) > 0 {
		err = fmt.Errorf("%d of %d deposits have none", len(wanted), len(d.orders))
	}
	return byDeposit, err
}

// chaincheck runs the command, as cron does, on the replica, and shows what it
// says.
func (d *day) chaincheck(ctx context.Context) error {
	binary, err := d.options.binary("walletctl")
	if err != nil {
		return err
	}
	cmd := exec.CommandContext(ctx, binary, "chaincheck", "--all", "--state", filepath.Join(d.dir, "chaincheck"))
	cmd.Env = append(os.Environ(),
		"DATABASE_REPLICA_URL="+d.options.ReplicaURL.Reveal(), "LEDGER_KEYS_FILE="+d.options.LedgerKeysFile)
	cmd.Stdout, cmd.Stderr = d.options.Out, d.options.Out
	err = cmd.Run()
	var exited *exec.ExitError
	if errors.As(err, &exited) {
		return fmt.Errorf("chaincheck exits %d, must be 0", exited.ExitCode())
	}
	return err
}
