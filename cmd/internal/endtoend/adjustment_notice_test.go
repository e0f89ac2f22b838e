package endtoend_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/walletcore/signature"
)

// chat is the program that tells supervisors. It is away at first.
type chat struct {
	*httptest.Server
	mu     sync.Mutex
	away   bool
	calls  int
	wrong  int
	bodies []string
}

func newChat(t *testing.T, secret string) *chat {
	t.Helper()
	c := &chat{away: true}
	form := signature.Form{Header: "X-Signature", Encoding: signature.Hex, Prefix: "sha256="}
	c.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		c.mu.Lock()
		defer c.mu.Unlock()
		c.calls++
		switch {
		case err != nil || form.Verify(r.Header, body, [][]byte{[]byte(secret)}) != nil:
			c.wrong++
			w.WriteHeader(http.StatusUnauthorized)
		case c.away:
			w.WriteHeader(http.StatusBadGateway)
		default:
			c.bodies = append(c.bodies, string(body))
			w.WriteHeader(http.StatusNoContent)
		}
	}))
	t.Cleanup(c.Close)
	return c
}

func (c *chat) state() (calls, wrong int, bodies []string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.calls, c.wrong, c.bodies
}

func (c *chat) setAway(away bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.away = away
}

func TestAdjustment_ARequestIsToldOfOnceAcrossRestarts(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	secret := randomSecret()
	chat := newChat(t, secret)
	own := settings{
		"ADJUSTMENT_WEBHOOK_URL": chat.URL + "/hook?token=" + secret, "ADJUSTMENT_WEBHOOK_SECRET": secret, "ADJUSTMENT_SWEEP": "50ms",
	}
	first := o.startGaming(own)
	id := o.request()
	await(t, "a call", func() bool {
		calls, _, _ := chat.state()
		return calls == 1
	})
	// Nobody hears it, and an approval is posted all the same.
	posted := o.request()
	o.want(0, o.sue, "approve", posted, confirm)
	first.Kill()
	chat.setAway(false)
	o.exec(`update gaming.adjustment_notices set next_at = clock_timestamp()`)
	for range 2 {
		o.startGaming(own)
	}
	await(t, "the notice", func() bool {
		_, _, bodies := chat.state()
		return len(bodies) > 0
	})
	last := o.request()
	await(t, "the next notice", func() bool {
		return o.count(`select count(*) from gaming.adjustment_notices where told_at is not null`) == 2
	})
	_, wrong, bodies := chat.state()
	require.Zero(t, wrong, "signed by something else")
	var told []string
	for _, body := range bodies {
		var notice struct {
			Event  string `json:"event"`
			ID     string `json:"adjustment_id"`
			Amount string `json:"amount"`
		}
		require.NoError(t, json.Unmarshal([]byte(body), &notice))
		require.Equal(t, []string{"adjustment.requested", "5.00000000"}, []string{notice.Event, notice.Amount})
		told = append(told, notice.ID)
	}
	require.Equal(t, []string{id, last}, told)
	for _, log := range o.logs {
		log.requireSecretsKept(t, []string{secret})
	}
	o.requirePosted(posted)
}

func TestAdjustment_AWebhookWithoutASecretIsRefused(t *testing.T) {
	t.Parallel()
	p := newPlatform(t, nil)
	p.base["ADJUSTMENT_WEBHOOK_URL"] = "https://chat.example/hook"
	p.requireRefusal("gaming", "ADJUSTMENT_WEBHOOK_SECRET is not set", "X-Signature")
	p.base["ADJUSTMENT_WEBHOOK_URL"], p.base["ADJUSTMENT_WEBHOOK_SECRET"] = "chat.example", "s"
	p.requireRefusal("gaming", "ADJUSTMENT_WEBHOOK_URL is not a URL", "https://")
	p.base["ADJUSTMENT_WEBHOOK_URL"], p.base["ADJUSTMENT_SWEEP"] = "", "0s"
	p.requireRefusal("gaming", "ADJUSTMENT_SWEEP is not above zero", "5s")
}
