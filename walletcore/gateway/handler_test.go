package gateway_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/walletcore/gateway"
)

// queue is a publisher that keeps what it is given, or fails.
type queue struct {
	mu       sync.Mutex
	messages []gateway.Received
	fail     func(context.Context) error
}

func (q *queue) PublishNotification(ctx context.Context, r gateway.Received) error {
	if q.fail != nil {
		return q.fail(ctx)
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	q.messages = append(q.messages, r)
	return nil
}

func (q *queue) all() []gateway.Received {
	q.mu.Lock()
	defer q.mu.Unlock()
	return append([]gateway.Received(nil), q.messages...)
}

// door is a handler behind a real server.
type door struct {
	url      string
	mux      *http.ServeMux
	queue    *queue
	log      *bytes.Buffer
	outcomes chan gateway.Outcome
}

func newDoor(t *testing.T, q *queue) *door {
	t.Helper()
	accounts, err := gateway.NewAccounts(
		account(t, func(o *gateway.AccountOptions) { o.Secrets = secrets }),
		account(t, func(o *gateway.AccountOptions) {
			o.Gateway, o.Name, o.Dialect = "pix", "acme-br", "generic"
			o.Secrets = [][]byte{[]byte("pix-secret-of-acme")}
		}))
	require.NoError(t, err)
	d := &door{queue: q, log: &bytes.Buffer{}, outcomes: make(chan gateway.Outcome, 100)}
	handler, err := gateway.NewHandler(gateway.HandlerOptions{
		Accounts: accounts, Publisher: q, PublishTimeout: 200 * time.Millisecond,
		Observe: func(_, _ string, o gateway.Outcome) { d.outcomes <- o },
		Logger:  slog.New(slog.NewJSONHandler(d.log, nil)), Now: func() time.Time { return now },
	})
	require.NoError(t, err)
	mux := http.NewServeMux()
	mux.Handle(gateway.Pattern, handler)
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	d.url, d.mux = server.URL, mux
	return d
}

func (d *door) post(t *testing.T, path string, body io.Reader, header http.Header) (*http.Response, string) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, d.url+path, body)
	require.NoError(t, err)
	if header != nil {
		request.Header = header
	}
	response, err := http.DefaultClient.Do(request)
	require.NoError(t, err)
	defer response.Body.Close()
	answer, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	return response, string(answer)
}

func pixSignature(body string) http.Header {
	return headers("X-Signature", sum([]byte("pix-secret-of-acme"), body))
}

func TestHandler_AnswersOKOnceTheQueueHasTheRawBody(t *testing.T) {
	t.Parallel()
	d := newDoor(t, &queue{})
	body := `{"b":1.0,  "c":"\u00E9\/"} not even JSON`
	response, answer := d.post(t, "/webhooks/pix/acme-br", strings.NewReader(body), pixSignature(body))
	require.Equal(t, http.StatusOK, response.StatusCode, answer)
	require.Equal(t, gateway.Accepted, <-d.outcomes)

	messages := d.queue.all()
	require.Len(t, messages, 1)
	got := messages[0]
	id, err := uuid.Parse(got.MessageID)
	require.NoError(t, err)
	require.Equal(t, uuid.Version(7), id.Version())
	require.Equal(t, gateway.Received{
		MessageID: got.MessageID, Gateway: "pix", Account: "acme-br", Brand: "acme", Dialect: "generic",
		ReceivedAt: now, CorrelationID: got.MessageID, Body: []byte(body),
	}, got)
	require.JSONEq(t, `{"message_id":"`+got.MessageID+`"}`, answer)
	require.Equal(t, got.CorrelationID, response.Header.Get("X-Correlation-ID"))
}

func TestHandler_EveryDeliveryIsAMessageOfItsOwn(t *testing.T) {
	t.Parallel()
	d := newDoor(t, &queue{})
	for range 2 {
		d.post(t, "/webhooks/pix/acme-br", strings.NewReader("{}"), pixSignature("{}"))
	}
	messages := d.queue.all()
	require.Len(t, messages, 2)
	require.NotEqual(t, messages[0].MessageID, messages[1].MessageID)
}

func TestHandler_ABadSignatureIs401AndTheNextGoodOneIs200(t *testing.T) {
	t.Parallel()
	d := newDoor(t, &queue{})
	good := sum([]byte("pix-secret-of-acme"), "{}")
	for _, values := range [][]string{
		nil,
		{""},
		{good[:63]},
		{strings.Repeat("z", 64)},
		{good, good},
		{"sha256= " + good},
		{strings.Repeat("a", 100_000)},
		{sum(secret, "{}")},
		{"\xc3\xa9\xff"},
	} {
		response, answer := d.post(t, "/webhooks/pix/acme-br", strings.NewReader("{}"), headers("X-Signature", values...))
		require.Equal(t, http.StatusUnauthorized, response.StatusCode)
		require.Contains(t, answer, `"code":"bad_signature"`)
		require.Equal(t, gateway.BadSignature, <-d.outcomes)

		response, _ = d.post(t, "/webhooks/pix/acme-br", strings.NewReader("{}"), headers("X-Signature", strings.ToUpper(good)))
		require.Equal(t, http.StatusOK, response.StatusCode)
		require.Equal(t, gateway.Accepted, <-d.outcomes)
	}
	require.Len(t, d.queue.all(), 9)
	require.NotContains(t, d.log.String(), good[:63], "neither a signature nor a secret is logged")
}

func TestHandler_AStaleStripeSignatureIs401(t *testing.T) {
	t.Parallel()
	d := newDoor(t, &queue{})
	header := headers("Stripe-Signature", stripeHeaderOf(now.Add(-time.Hour), secret, []byte("{}")))
	response, answer := d.post(t, "/webhooks/stripe/acme-eu", strings.NewReader("{}"), header)
	require.Equal(t, http.StatusUnauthorized, response.StatusCode)
	require.Contains(t, answer, "outside the time tolerance")
	require.Empty(t, d.queue.all())
}

func TestHandler_EveryLiveSecretOpensTheDoor(t *testing.T) {
	t.Parallel()
	d := newDoor(t, &queue{})
	for _, live := range secrets {
		header := headers("Stripe-Signature", stripeHeaderOf(now, live, []byte("{}")))
		response, answer := d.post(t, "/webhooks/stripe/acme-eu", strings.NewReader("{}"), header)
		require.Equal(t, http.StatusOK, response.StatusCode, answer)
	}
	require.Len(t, d.queue.all(), 2)
}

func TestHandler_AnotherAccountsSecretDoesNotOpenThisOne(t *testing.T) {
	t.Parallel()
	d := newDoor(t, &queue{})
	header := headers("Stripe-Signature", stripeHeaderOf(now, []byte("pix-secret-of-acme"), []byte("{}")))
	response, _ := d.post(t, "/webhooks/stripe/acme-eu", strings.NewReader("{}"), header)
	require.Equal(t, http.StatusUnauthorized, response.StatusCode)
}

func TestHandler_AnUnknownAccountIs404WithoutReadingTheBody(t *testing.T) {
	t.Parallel()
	d := newDoor(t, &queue{})
	for _, path := range []string{"/webhooks/pix/other", "/webhooks/other/acme-br", "/webhooks/pix/ACME-BR", "/webhooks/pix/%00"} {
		response, _ := d.post(t, path, strings.NewReader("{}"), pixSignature("{}"))
		require.Equal(t, http.StatusNotFound, response.StatusCode, path)
		require.Equal(t, gateway.UnknownAccount, <-d.outcomes)
	}
}

func TestHandler_ABodyOverOneMebibyteIs413(t *testing.T) {
	t.Parallel()
	d := newDoor(t, &queue{})
	largest := strings.Repeat("x", gateway.MaxBody)
	response, _ := d.post(t, "/webhooks/pix/acme-br", strings.NewReader(largest), pixSignature(largest))
	require.Equal(t, http.StatusOK, response.StatusCode)
	require.Equal(t, gateway.Accepted, <-d.outcomes)

	// io.MultiReader hides the length, so this one is sent in chunks.
	for _, body := range []io.Reader{strings.NewReader(largest + "x"), io.MultiReader(strings.NewReader(largest + "x"))} {
		response, _ = d.post(t, "/webhooks/pix/acme-br", body, pixSignature(largest+"x"))
		require.Equal(t, http.StatusRequestEntityTooLarge, response.StatusCode)
		require.Equal(t, gateway.TooLarge, <-d.outcomes)
	}
	require.Len(t, d.queue.all(), 1)
}

func TestHandler_WithoutAConfirmItIs503AndToBeSentAgain(t *testing.T) {
	t.Parallel()
	for name, fail := range map[string]func(context.Context) error{
		"refused": func(context.Context) error { return errors.New("nack") },
		"silent":  func(ctx context.Context) error { <-ctx.Done(); return ctx.Err() },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newDoor(t, &queue{fail: fail})
			response, answer := d.post(t, "/webhooks/pix/acme-br", strings.NewReader("{}"), pixSignature("{}"))
			require.Equal(t, http.StatusServiceUnavailable, response.StatusCode)
			require.Equal(t, "10", response.Header.Get("Retry-After"))
			require.Contains(t, answer, `"code":"unavailable"`)
			require.Equal(t, gateway.Unpublished, <-d.outcomes)
			require.Contains(t, d.log.String(), "webhook not published")
		})
	}
}

func TestHandler_AGatewayThatHangsUpHasStillBeenHeard(t *testing.T) {
	t.Parallel()
	var atPublish error
	d := newDoor(t, &queue{fail: func(ctx context.Context) error {
		atPublish = ctx.Err()
		return nil
	}})
	gone, hangUp := context.WithCancel(t.Context())
	hangUp()
	request := httptest.NewRequestWithContext(gone, http.MethodPost, "/webhooks/pix/acme-br", strings.NewReader("{}"))
	request.Header = pixSignature("{}")
	recorder := httptest.NewRecorder()
	d.mux.ServeHTTP(recorder, request)
	require.Equal(t, http.StatusOK, recorder.Code)
	require.NoError(t, atPublish)
}

func TestHandler_OnlyPostIsAllowed(t *testing.T) {
	t.Parallel()
	d := newDoor(t, &queue{})
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, d.url+"/webhooks/pix/acme-br", nil)
	require.NoError(t, err)
	response, err := http.DefaultClient.Do(request)
	require.NoError(t, err)
	defer response.Body.Close()
	require.Equal(t, http.StatusMethodNotAllowed, response.StatusCode)
}

func TestNewHandler_NeedsAccountsAndAPublisher(t *testing.T) {
	t.Parallel()
	accounts, err := gateway.NewAccounts()
	require.NoError(t, err)
	for _, o := range []gateway.HandlerOptions{
		{}, {Accounts: accounts}, {Publisher: &queue{}}, {Accounts: accounts, Publisher: &queue{}, PublishTimeout: -1},
	} {
		_, err := gateway.NewHandler(o)
		require.Error(t, err)
	}
}
