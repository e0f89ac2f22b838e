package endtoend_test

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
)

// notice is what a generic gateway tells about a payment.
type notice struct {
	deposit, payment, status, amount, currency string
}

// paid is the notice that a deposit was paid, by a payment of its own.
func paid(d deposit) notice { return told(d, "confirmed") }

// told is a notice of any status.
func told(d deposit, status string) notice {
	sum := sha256.Sum256([]byte(d.ID))
	return notice{
		deposit: d.ID, payment: "pay-" + hex.EncodeToString(sum[:8]), status: status, amount: d.Amount, currency: d.Currency,
	}
}

func (n notice) body() string {
	return fmt.Sprintf(
		`{"event_id":%q,"type":"payment","deposit_id":%q,"payment_id":%q,"status":%q,"amount":%q,"currency":%q,"occurred_at":%q}`,
		uuid.NewString(), n.deposit, n.payment, n.status, n.amount, n.currency, time.Now().UTC().Format(time.RFC3339))
}

// notify tells casino, by the deposit's own gateway account, which must take it.
func (p *platform) notify(d deposit, n notice) {
	p.t.Helper()
	p.requireTaken(d.Gateway+"/"+d.Account, n.body())
}

// pay confirms the deposit.
func (p *platform) pay(d deposit) {
	p.t.Helper()
	p.notify(d, paid(d))
}

// requireTaken sends a webhook with a good signature.
func (p *platform) requireTaken(account, body string) {
	p.t.Helper()
	a, err := p.webhook(account, body)
	require.NoError(p.t, err)
	require.Equal(p.t, http.StatusOK, a.status, a.body)
}

// webhook signs a body as the account does and sends it.
func (p *platform) webhook(account, body string) (answer, error) {
	secret := p.doors.signing[account]
	if strings.HasPrefix(account, "stripe/") {
		now := time.Now().Unix()
		signature := fmt.Sprintf("t=%d,v1=%s", now, sign(secret, fmt.Sprintf("%d.%s", now, body)))
		return p.send(account, "Stripe-Signature", signature, body)
	}
	return p.send(account, "X-Signature", "sha256="+sign(secret, body), body)
}

func (p *platform) send(account, header, signature, body string) (answer, error) {
	request, err := http.NewRequest(http.MethodPost, p.casino.Load().URL()+"/webhooks/"+account, strings.NewReader(body))
	if err != nil {
		return answer{}, err
	}
	request.Header.Set(header, signature)
	return send(request)
}

func sign(secret, text string) string {
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte(text))
	return hex.EncodeToString(mac.Sum(nil))
}

// stripeSession is Stripe's event of a Checkout session that was paid. The
// amount is in Stripe's unit.
func stripeSession(d deposit, amount int) string {
	return fmt.Sprintf(`{"id":"evt_%s","object":"event","created":%d,"type":"checkout.session.completed","data":{"object":
		{"object":"checkout.session","id":"cs_1","payment_intent":"pi_%s","payment_status":"paid","amount_total":%d,
		"currency":%q,"metadata":{"deposit_id":%q}}}}`,
		uuid.NewString(), time.Now().Unix(), d.ID, amount, strings.ToLower(d.Currency), d.ID)
}
