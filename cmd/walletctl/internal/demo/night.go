package demo

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"

	"golang.org/x/sync/errgroup"
)

const providersConfig = `providers:
  - {provider: games, brand: acme, dialect: standard, secrets: ["env:DEMO_GAMES_SECRET"]}
`

// night: a game provider that sends everything again, and some things too
// early, to both replicas of gaming.
func (d *day) night(ctx context.Context) error {
	player, amount := d.orders[0].User, d.orders[0].Amount
	before, err := d.play(ctx, gaming1, "balance", map[string]any{"user": player, "currency": "EUR"})
	if err != nil {
		return err
	}
	bet := map[string]any{"user": player, "currency": "EUR", "transaction_id": "bet-" + d.run, "round_id": "r-" + d.run, "amount": amount}
	if err := d.repeat(ctx, 20, "bet", bet); err != nil {
		return err
	}
	refund := map[string]any{"user": player, "currency": "EUR", "transaction_id": "back-" + d.run, "bet_id": "bet-" + d.run}
	if err := d.repeat(ctx, 3, "refund", refund); err != nil {
		return err
	}
	refund["bet_id"] = "late-" + d.run
	if err := d.repeat(ctx, 2, "refund", refund); err != nil {
		return err
	}
	late := map[string]any{"user": player, "currency": "EUR", "transaction_id": "late-" + d.run, "round_id": "r-" + d.run, "amount": "1.00"}
	if _, err := d.play(ctx, gaming2, "bet", late); err == nil {
		return fmt.Errorf("a bet was taken after its rollback")
	}
	d.refused++
	after, err := d.play(ctx, gaming2, "balance", map[string]any{"user": player, "currency": "EUR"})
	if err != nil {
		return err
	}
	if before != after {
		return fmt.Errorf("the night changed the balance from %s to %s", before, after)
	}
	d.say("night     one bet sent 20 times at once to two replicas: debited once; refunded three times: given back once;\n" +
		"          a rollback before its bet: the bet moves nothing")
	return nil
}

// repeat sends the same call many times at once, over both replicas; each has
// to succeed.
func (d *day) repeat(ctx context.Context, times int, operation string, body map[string]any) error {
	var group errgroup.Group
	for i := range times {
		group.Go(func() error {
			_, err := d.play(ctx, []string{gaming1, gaming2}[i%2], operation, body)
			return err
		})
	}
	d.resent += times - 1
	return group.Wait()
}

// play is one signed call of the provider, and returns the balance after it.
func (d *day) play(ctx context.Context, replica, operation string, fields map[string]any) (string, error) {
	body, err := json.Marshal(fields)
	if err != nil {
		return "", err
	}
	status, answer, err := d.call(ctx, http.MethodPost, d.services[replica].URL()+"/providers/acme/games/"+operation, body,
		http.Header{"X-Signature": {d.sign("DEMO_GAMES_SECRET", body)}})
	if err != nil {
		return "", fmt.Errorf("%s: %w", operation, err)
	}
	if status != http.StatusOK {
		return "", fmt.Errorf("%s: answered %d: %s", operation, status, answer)
	}
	var balance struct{ Balance string }
	return balance.Balance, json.Unmarshal(answer, &balance)
}
