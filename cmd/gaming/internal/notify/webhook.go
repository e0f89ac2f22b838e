// Package notify tells a program of the operator's, over HTTP, what a person
// should look at.
package notify

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"time"

	"github.com/walletctl/walletctl/adjust"
	"github.com/walletctl/walletctl/cmd/internal/config"
)

const (
	timeout   = 5 * time.Second
	maxAnswer = 64 << 10
)

// Webhook posts notices as JSON, signed as the generic dialect of gateways is:
// X-Signature is the HMAC-SHA256 of the body, in hex behind "sha256=".
type Webhook struct {
	url    string
	secret []byte
	client *http.Client
}

// New checks the settings. The error is a *config.Error.
func New(to, secret config.Secret) (*Webhook, error) {
	u, err := url.Parse(to.Reveal())
	switch {
	case err != nil || (u.Scheme != "https" && u.Scheme != "http") || u.Host == "":
		return nil, &config.Error{Variable: "ADJUSTMENT_WEBHOOK_URL", Problem: "is not a URL", Try: "write it as https://host/path"}
	case secret == "":
		return nil, &config.Error{
			Variable: "ADJUSTMENT_WEBHOOK_SECRET", Problem: "is not set", Try: "set it to what the receiver verifies X-Signature with",
		}
	}
	return &Webhook{url: to.Reveal(), secret: []byte(secret.Reveal()), client: &http.Client{
		Timeout: timeout,
		// What is signed goes where it was meant to go.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}, nil
}

// Send returns nil where the notice was answered with 2xx.
func (w *Webhook) Send(ctx context.Context, notice adjust.Notice) error {
	body, err := json.Marshal(notice)
	if err != nil {
		return err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, w.url, bytes.NewReader(body))
	if err != nil {
		return errors.New("ADJUSTMENT_WEBHOOK_URL is not a URL")
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("X-Signature", "sha256="+w.sign(body))
	response, err := w.client.Do(request)
	if err != nil {
		return withoutURL(err)
	}
	defer response.Body.Close()
	_, _ = io.Copy(io.Discard, io.LimitReader(response.Body, maxAnswer)) // so that the connection can be used again
	if response.StatusCode/100 != 2 {
		return fmt.Errorf("the webhook answered %s", response.Status)
	}
	return nil
}

func (w *Webhook) sign(body []byte) string {
	mac := hmac.New(sha256.New, w.secret)
	mac.Write(body)
	return hex.EncodeToString(mac.Sum(nil))
}

// withoutURL takes the URL out of an error, which may hold a token.
func withoutURL(err error) error {
	var failed *url.Error
	if errors.As(err, &failed) {
		return fmt.Errorf("call the webhook: %w", failed.Err)
	}
	return err
}
