package demo

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"time"
)

// order is a deposit as the site of a brand asks for it, and what became of it;
// with a destination it is a withdrawal.
type order struct {
	ID          string // casino's, once created
	Key         string // the site's idempotency key
	Token       string // the name of the site's token
	User        string
	Gateway     string
	Amount      string
	Destination string
}

// create asks a replica of casino for the deposit or withdrawal and returns the
// status and the body of the answer.
func (p *platform) create(ctx context.Context, replica string, o order) (int, []byte, error) {
	path, fields := "/deposits", map[string]string{
		"user": o.User, "currency": "EUR", "amount": o.Amount, "gateway": o.Gateway,
	}
	if o.Destination != "" {
		path, fields["destination"] = "/withdrawals", o.Destination
	}
	body, err := json.Marshal(fields)
	if err != nil {
		return 0, nil, err
	}
	return p.call(ctx, http.MethodPost, p.services[replica].URL()+path, body, http.Header{
		"Authorization":   {"Bearer " + p.secrets[o.Token]},
		"Idempotency-Key": {o.Key},
		"Content-Type":    {"application/json"},
	})
}

// get reads a deposit with a site's token.
func (p *platform) get(ctx context.Context, replica, token, id string) (int, error) {
	status, _, err := p.call(ctx, http.MethodGet, p.services[replica].URL()+"/deposits/"+id, nil,
		http.Header{"Authorization": {"Bearer " + p.secrets[token]}})
	return status, err
}

// notice is a gateway's message about a payment.
type notice struct {
	Status  string // confirmed, failed, expired, ...
	Payment string
	Amount  string
	Secret  string // the name of the secret that signs; the gateway's own by default
	Account string // acme-eu by default
}

// notify sends the message through the webhook door and returns the status of
// the answer.
func (p *platform) notify(ctx context.Context, replica string, o order, n notice) (int, error) {
	if n.Amount == "" {
		n.Amount = o.Amount
	}
	if n.Account == "" {
		n.Account = "acme-eu"
	}
	send := p.notifyGeneric
	if o.Gateway == "stripe" {
		send = p.notifyStripe
	}
	return send(ctx, fmt.Sprintf("%s/webhooks/%s/%s", p.services[replica].URL(), o.Gateway, n.Account), o, n)
}

func (p *platform) notifyGeneric(ctx context.Context, url string, o order, n notice) (int, error) {
	if n.Secret == "" {
		n.Secret = "DEMO_GENERIC_SECRET"
	}
	status, _, err := p.sendGeneric(ctx, url, n.Secret, map[string]string{
		"event_id": n.Payment + ":" + n.Status, "type": "payment." + n.Status, "deposit_id": o.ID,
		"payment_id": n.Payment, "status": n.Status, "amount": n.Amount, "currency": "EUR",
		"occurred_at": time.Now().UTC().Format(time.RFC3339),
	})
	return status, err
}

// sendGeneric sends a message of the dialect generic, signed, and returns the
// status and the body of the answer.
func (p *platform) sendGeneric(ctx context.Context, url, secret string, fields map[string]string) (int, []byte, error) {
	body, err := json.Marshal(fields)
	if err != nil {
		return 0, nil, err
	}
	return p.call(ctx, http.MethodPost, url, body, http.Header{"X-Signature": {"sha256=" + p.sign(secret, body)}})
}

// stripeEvents are Stripe's words for ours.
var stripeEvents = map[string]string{
	"confirmed": "payment_intent.succeeded", "failed": "payment_intent.payment_failed",
}

func (p *platform) notifyStripe(ctx context.Context, url string, o order, n notice) (int, error) {
	cents, err := minorUnits(n.Amount)
	if err != nil {
		return 0, err
	}
	body, err := json.Marshal(map[string]any{
		"id": "evt_" + n.Payment + n.Status, "object": "event", "type": stripeEvents[n.Status], "created": time.Now().Unix(),
		"data": map[string]any{"object": map[string]any{
			"id": "pi_" + n.Payment, "object": "payment_intent", "amount": cents, "amount_received": cents,
			"currency": "eur", "metadata": map[string]string{"deposit_id": o.ID},
		}},
	})
	if err != nil {
		return 0, err
	}
	at := time.Now().Unix()
	signature := p.sign("DEMO_STRIPE_SECRET", fmt.Appendf(nil, "%d.%s", at, body))
	status, _, err := p.call(ctx, http.MethodPost, url, body,
		http.Header{"Stripe-Signature": {fmt.Sprintf("t=%d,v1=%s", at, signature)}})
	return status, err
}

func (p *platform) sign(secret string, body []byte) string {
	mac := hmac.New(sha256.New, []byte(p.secrets[secret]))
	mac.Write(body)
	return hex.EncodeToString(mac.Sum(nil))
}

func (p *platform) call(ctx context.Context, method, url string, body []byte, header http.Header) (int, []byte, error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, method, url, bytes.NewReader(body))
	if err != nil {
		return 0, nil, err
	}
	req.Header = header
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return 0, nil, err
	}
	defer resp.Body.Close()
	answer, err := io.ReadAll(io.LimitReader(resp.Body, 1<<20))
	return resp.StatusCode, answer, err
}
