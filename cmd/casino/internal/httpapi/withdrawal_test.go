package httpapi_test

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/cmd/casino/internal/httpapi"
	"github.com/walletctl/walletctl/walletcore"
	"github.com/walletctl/walletctl/walletcore/job"
	"github.com/walletctl/walletctl/walletcore/wallettest"
	"github.com/walletctl/walletctl/walletcore/withdrawal"
)

// idle stands for gaming and whoever pays: no job runs in these tests.
type idle struct{}

func (idle) DebitWithdrawal(context.Context, walletcore.WithdrawalOrder) (walletcore.Withdrawn, error) {
	panic("no job runs")
}

func (idle) ReverseWithdrawal(context.Context, walletcore.WithdrawalOrder) (walletcore.Withdrawn, error) {
	panic("no job runs")
}

func (idle) PublishPayout(context.Context, withdrawal.Payout) error { panic("no job runs") }

// payingSite has the real withdrawals behind it.
func payingSite(t *testing.T) *site {
	t.Helper()
	pool := wallettest.NewDatabase(t).Pool(t, wallettest.Casino)
	queue, err := job.New(job.Options{Pool: pool})
	require.NoError(t, err)
	var made atomic.Int64
	service, err := withdrawal.NewService(withdrawal.Options{
		Queue: queue, Pool: pool, Wallet: idle{}, Payouts: idle{},
		NewID: func() string { return fmt.Sprintf("wd_%d", made.Add(1)) },
	})
	require.NoError(t, err)
	return newSite(t, func(o *httpapi.Options) { o.Withdrawals = service })
}

// order is a request for a withdrawal with one field set to a JSON text, or
// left out where that is empty.
func order(field, value string) string {
	text := body("", "")
	if field != "destination" {
		text = body(field, value)
		value = `"iban-token-1"`
	}
	if value == "" {
		return text
	}
	return strings.TrimSuffix(text, "}") + `,"destination":` + value + "}"
}

func (s *site) withdraw(t *testing.T, text string) answer {
	t.Helper()
	return s.call(t, http.MethodPost, "/withdrawals", text, map[string][]string{"X-Correlation-Id": {"c-1"}})
}

func TestWithdraw_AnswersWithTheWithdrawalAndAResendWithTheFirst(t *testing.T) {
	t.Parallel()
	s := payingSite(t)
	first := s.withdraw(t, order("", ""))
	require.Equal(t, http.StatusCreated, first.status, first.body)
	require.Equal(t, "/withdrawals/wd_1", first.header.Get("Location"))
	for _, want := range []string{
		`"id":"wd_1"`, `"status":"requested"`, `"reason":""`, `"brand":"acme"`, `"user":"u-1"`, `"currency":"EUR"`,
		`"amount":"50.00000000"`, `"gateway":"stripe"`, `"account":"acme-eu"`, `"destination":"iban-token-1"`,
		`"debited_at":null`, `"paid_at":null`, `"rejected_at":null`, `"reversed_at":null`,
	} {
		require.Contains(t, first.body, want)
	}
	again := s.withdraw(t, order("amount", `"50"`))
	require.Equal(t, http.StatusOK, again.status)
	require.Equal(t, first.body, again.body)
	got := s.call(t, http.MethodGet, "/withdrawals/wd_1", "", nil)
	require.Equal(t, http.StatusOK, got.status)
	require.Equal(t, first.body, got.body)
}

func TestWithdraw_TheSameKeyWithOtherContentNamesTheField(t *testing.T) {
	t.Parallel()
	s := payingSite(t)
	s.withdraw(t, order("", ""))
	for field, value := range map[string]string{
		"user": `"u-2"`, "currency": `"USD"`, "amount": `"50.01"`, "destination": `"iban-token-2"`,
	} {
		a := s.withdraw(t, order(field, value))
		require.Equal(t, http.StatusConflict, a.status, a.body)
		require.JSONEq(t, `{"error":{"code":"conflict","field":"`+field+`",
			"message":"this Idempotency-Key was used for a withdrawal with another `+field+`"}}`, a.body)
	}
}

func TestWithdraw_FiftyAtOnceAreOne(t *testing.T) {
	t.Parallel()
	s := payingSite(t)
	answers := make([]answer, 50)
	var all sync.WaitGroup
	for i := range answers {
		all.Go(func() { answers[i] = s.withdraw(t, order("", "")) })
	}
	all.Wait()
	created := 0
	for _, a := range answers {
		require.Equal(t, answers[0].body, a.body)
		if a.status == http.StatusCreated {
			created++
		}
	}
	require.Equal(t, 1, created)
}

func TestWithdraw_ARequestThatIsWrongNamesTheField(t *testing.T) {
	t.Parallel()
	s := payingSite(t)
	for _, c := range []struct {
		field, value string
		status       int
	}{
		{"destination", "", http.StatusUnprocessableEntity},
		{"destination", `""`, http.StatusUnprocessableEntity},
		{"destination", `" "`, http.StatusUnprocessableEntity},
		{"destination", `7`, http.StatusUnprocessableEntity},
		{"destination", `"` + strings.Repeat("x", 256) + `"`, http.StatusUnprocessableEntity},
		{"amount", `"0"`, http.StatusUnprocessableEntity},
		{"amount", `"-5"`, http.StatusUnprocessableEntity},
		{"amount", `"1e2"`, http.StatusUnprocessableEntity},
		{"amount", `"0.001"`, http.StatusUnprocessableEntity},
		{"amount", `50`, http.StatusUnprocessableEntity},
		{"user", "", http.StatusUnprocessableEntity},
		{"gateway", `"nowhere"`, http.StatusUnprocessableEntity},
		{"brand", `"zeta"`, http.StatusForbidden},
		{"expires_in", `60`, http.StatusUnprocessableEntity},
	} {
		a := s.withdraw(t, order(c.field, c.value))
		require.Equal(t, c.status, a.status, "%s %s: %s", c.field, c.value, a.body)
		require.Contains(t, a.body, `"`+c.field+`"`)
	}
	require.Equal(t, http.StatusNotFound, s.call(t, http.MethodGet, "/withdrawals/wd_1", "", nil).status, "nothing was made")
}

func TestWithdraw_AnotherBrandsWithdrawalDoesNotExist(t *testing.T) {
	t.Parallel()
	s := payingSite(t)
	s.withdraw(t, order("", ""))
	s.token = zetaToken
	foreign := s.call(t, http.MethodGet, "/withdrawals/wd_1", "", nil)
	unknown := s.call(t, http.MethodGet, "/withdrawals/wd_404", "", nil)
	require.Equal(t, http.StatusNotFound, foreign.status)
	require.Equal(t, unknown.body, foreign.body)
	require.Equal(t, http.StatusNotFound, s.call(t, http.MethodGet, "/withdrawals/%00", "", nil).status)
	require.Equal(t, http.StatusCreated, s.withdraw(t, order("", "")).status, "keys are a brand's own")
}
