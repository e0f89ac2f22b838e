package endtoend_test

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/backfill/unkeyed"
	"github.com/walletctl/walletctl/walletcore/wallettest"
)

// unkeyedDoors opens three doors to producers without ids: one for a year to
// come, one whose deadline has passed, one that never might.
func unkeyedDoors(t *testing.T, open time.Time) settings {
	t.Helper()
	const line = "  - {provider: %[1]s, brand: acme, dialect: standard, secrets: [\"env:SECRET_%[3]s\"]%[2]s}\n"
	until := func(at time.Time) string {
		return fmt.Sprintf(", unkeyed: {until: %s, message_id_header: X-Request-Id}", at.Format(time.RFC3339))
	}
	text := "providers:\n" + fmt.Sprintf(line, "older", until(open), "OLDER") + fmt.Sprintf(line, "late", until(open.AddDate(-2, 0, 0)), "LATE") +
		fmt.Sprintf(line, "newer", "", "NEWER")
	file := filepath.Join(t.TempDir(), "providers.yaml")
	require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
	return settings{
		"GAMING_PROVIDERS": file, "SECRET_OLDER": secretFor("older"), "SECRET_LATE": secretFor("late"), "SECRET_NEWER": secretFor("newer"),
	}
}

func secretFor(provider string) string { return "the-secret-of-" + provider }

// winWithoutID sends one under the id of a message.
func (p *platform) winWithoutID(provider, message string) int {
	p.t.Helper()
	const body = `{"user":"u-1","currency":"EUR","amount":"1.00"}`
	request, err := http.NewRequest(http.MethodPost, p.gaming.Load().URL()+"/providers/acme/"+provider+"/win", strings.NewReader(body))
	require.NoError(p.t, err)
	request.Header.Set("X-Signature", sign(secretFor(provider), body))
	request.Header.Set("X-Request-Id", message)
	a, err := send(request)
	require.NoError(p.t, err)
	return a.status
}

// A message that comes again moves nothing, also to a gaming that was killed and
// started since; the report says who sends them, and who still would.
func TestUnkeyed_MessagesMoveOnceAndAreReported(t *testing.T) {
	t.Parallel()
	p := newPlatform(t, nil)
	open := time.Now().AddDate(1, 0, 0).UTC().Truncate(time.Second)
	doors := unkeyedDoors(t, open)
	gaming := p.startGaming(doors)
	for _, message := range []string{"m-1", "m-2", "m-1"} {
		require.Equal(t, http.StatusOK, p.winWithoutID("older", message))
	}
	require.Equal(t, http.StatusBadRequest, p.winWithoutID("late", "m-1"))
	require.Equal(t, http.StatusBadRequest, p.winWithoutID("newer", "m-1"))
	const of = `provider_unkeyed_total{brand="acme",fate="%s",provider="%s"}`
	require.Equal(t, 2, metric(t, gaming, fmt.Sprintf(of, "posted", "older")))
	require.Equal(t, 1, metric(t, gaming, fmt.Sprintf(of, "replayed", "older")))
	require.Equal(t, 1, metric(t, gaming, fmt.Sprintf(of, "expired", "late")))
	gaming.Kill()
	p.startGaming(doors)
	require.Equal(t, http.StatusOK, p.winWithoutID("older", "m-2"))
	require.Equal(t, http.StatusBadRequest, p.winWithoutID("late", "m-1"))
	require.Equal(t, 2, p.count(`select sum(real)::int from gaming.wallets`))

	var report unkeyed.Report
	require.Eventually(t, func() bool {
		var err error
		report, err = unkeyed.Read(t.Context(), p.db.Pool(t, wallettest.Auditor))
		return err == nil && len(report.Producers) == 2 && report.Producers[0].Refused > 0
	}, 30*time.Second, 100*time.Millisecond)
	late, older := report.Producers[0], report.Producers[1]
	require.Equal(t, "late", late.Provider)
	require.Zero(t, late.Total)
	require.Equal(t, unkeyed.Producer{Brand: "acme", Provider: "older", Until: open, MessageIDHeader: "X-Request-Id"}, older.Producer)
	require.EqualValues(t, 2, older.Total)
	require.Equal(t, 2, report.Open())
	wallettest.RequireClosed(t, p.admin, p.keys)
}
