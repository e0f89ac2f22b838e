package demo

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/walletctl/walletctl/walletcore/broker"
	"github.com/walletctl/walletctl/walletcore/withdrawal"
)

// outcome is what became of a payout, as casino takes it off its queue.
type outcome struct {
	WithdrawalID string    `json:"withdrawal_id"`
	PayoutID     string    `json:"payout_id"`
	Brand        string    `json:"brand"`
	Gateway      string    `json:"gateway"`
	Account      string    `json:"account"`
	Status       string    `json:"status"`
	Reason       string    `json:"reason,omitempty"`
	Amount       string    `json:"amount"`
	Currency     string    `json:"currency"`
	OccurredAt   time.Time `json:"occurred_at"`

	webhook bool // told through casino's door instead
}

// outcomeOf is what becomes of a request: in the demo its destination says so.
func outcomeOf(r *withdrawal.Payout) outcome {
	o := outcome{
		WithdrawalID: r.WithdrawalID, PayoutID: "po-" + r.WithdrawalID, Brand: r.Brand, Gateway: r.Gateway,
		Account: r.Account, Status: "paid", Amount: r.Amount.String(), Currency: r.Currency,
		OccurredAt: time.Now().UTC().Truncate(time.Second), webhook: strings.Contains(r.Destination, "webhook"),
	}
	if strings.Contains(r.Destination, "rejected") {
		o.Status, o.Reason = "rejected", "account_closed"
	}
	return o
}

// tell says what became of a payout, three times: nobody who tells about money
// can know that he was heard.
func (y *payer) tell(ctx context.Context, o outcome) error {
	if o.webhook {
		return y.tellDoor(ctx, o)
	}
	return y.tellQueue(ctx, o)
}

// tellQueue sends a message, the same again, and a new one that says the same.
func (y *payer) tellQueue(ctx context.Context, o outcome) error {
	body, err := json.Marshal(o)
	if err != nil {
		return err
	}
	id := o.PayoutID + ":" + o.Status
	ids := []string{id, id, id + ":reminder"}
	for _, id := range ids {
		err := y.outcomes.Publish(ctx, broker.Message{
			Exchange: "casino.outcomes", Key: "outcome", ID: id, UserID: y.conn.User(), Body: body,
		})
		if err != nil {
			return fmt.Errorf("tell %s: %w", id, err)
		}
	}
	y.keep(ids...)
	return nil
}

// tellDoor sends three webhooks at once, of which casino makes a message each.
func (y *payer) tellDoor(ctx context.Context, o outcome) error {
	ids := make([]string, 3)
	var group errgroup.Group
	for i := range ids {
		group.Go(func() (err error) {
			ids[i], err = y.webhook(ctx, replica(i), o)
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return err
	}
	y.keep(ids...)
	return nil
}

// webhook sends a signed message of the dialect generic, and returns the id that
// casino gave it.
func (y *payer) webhook(ctx context.Context, replica string, o outcome) (string, error) {
	url := fmt.Sprintf("%s/webhooks/%s/%s", y.services[replica].URL(), o.Gateway, o.Account)
	kind := "payout." + o.Status
	if o.Reason != "" {
		kind = o.Reason // which casino keeps as the reason
	}
	status, body, err := y.sendGeneric(ctx, url, "DEMO_GENERIC_SECRET", map[string]string{
		"event_id": o.PayoutID + ":" + o.Status, "type": kind, "withdrawal_id": o.WithdrawalID,
		"payment_id": o.PayoutID, "status": o.Status, "amount": o.Amount, "currency": o.Currency,
		"occurred_at": o.OccurredAt.Format(time.RFC3339),
	})
	if err != nil {
		return "", fmt.Errorf("tell the webhook: %w", err)
	}
	var taken struct {
		MessageID string `json:"message_id"`
	}
	if err := json.Unmarshal(body, &taken); err != nil || status != http.StatusOK {
		return "", fmt.Errorf("tell the webhook: answered %d: %s", status, body)
	}
	return taken.MessageID, nil
}

// revoke says of a payout that was rejected that it was paid after all.
func (y *payer) revoke(ctx context.Context, withdrawalID string) error {
	y.mu.Lock()
	o := y.answers[withdrawal.EventPayout+":"+withdrawalID]
	y.mu.Unlock()
	o.Status, o.Reason = "paid", ""
	return y.tell(ctx, o)
}
