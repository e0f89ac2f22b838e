package service_test

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/cmd/internal/config"
	"github.com/walletctl/walletctl/cmd/internal/service"
	"github.com/walletctl/walletctl/migrations"
	"github.com/walletctl/walletctl/walletcore/wallettest"
)

// asProgram is set where the test program plays a service.
const asProgram = "SERVICE_TEST_PROGRAM"

type settings struct {
	service.Settings

	URL config.Secret `env:"GAMING_DATABASE_URL,required"`
}

func TestMain(m *testing.M) {
	if os.Getenv(asProgram) == "" {
		os.Exit(m.Run())
	}
	os.Exit(service.Main("gaming", func(s *service.Service, settings settings) error {
		pool, err := s.Database(service.Database{
			Variable: "GAMING_DATABASE_URL", URL: settings.URL, Schema: migrations.Gaming,
		})
		if err != nil {
			return err
		}
		s.Go("work", func(ctx context.Context) error {
			<-ctx.Done()
			return pool.Ping(s.Work())
		})
		return s.Serve(nil)
	}))
}

// program is a running service and the lines that it logs.
type program struct {
	*exec.Cmd
	lines *bufio.Scanner
}

func start(t *testing.T, environ ...string) *program {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), os.Args[0])
	cmd.Env = append([]string{asProgram + "=1", "HTTP_ADDR=127.0.0.1:0"}, environ...)
	stderr, err := cmd.StderrPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	return &program{Cmd: cmd, lines: bufio.NewScanner(stderr)}
}

// await returns the first line with a message; every line must be JSON.
func (p *program) await(t *testing.T, message string) map[string]any {
	t.Helper()
	for p.lines.Scan() {
		var line map[string]any
		require.NoError(t, json.Unmarshal(p.lines.Bytes(), &line), p.lines.Text())
		if line["msg"] == message {
			return line
		}
	}
	t.Fatalf("the service ended without %q", message)
	return nil
}

func (p *program) code(t *testing.T) int {
	t.Helper()
	for p.lines.Scan() {
	}
	_ = p.Wait()
	return p.ProcessState.ExitCode()
}

func get(t *testing.T, url string) (int, string) {
	t.Helper()
	resp, err := http.Get(url)
	require.NoError(t, err)
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	require.NoError(t, err)
	return resp.StatusCode, string(body)
}

func invalidate(t *testing.T, db *wallettest.Database) {
	t.Helper()
	admin, err := pgx.Connect(t.Context(), db.URL(t, wallettest.Admin))
	require.NoError(t, err)
	defer admin.Close(t.Context())
	_, err = admin.Exec(t.Context(), `
update pg_index set indisvalid = false where indexrelid = 'gaming.entries_idempotency_key'::regclass`)
	require.NoError(t, err)
}

func TestService_ServesAndStopsInOrder(t *testing.T) {
	t.Parallel()
	db := wallettest.NewDatabase(t)
	p := start(t, "GAMING_DATABASE_URL="+db.URL(t, wallettest.Gaming))
	url := "http://" + p.await(t, "listening")["address"].(string)

	code, body := get(t, url+"/readyz")
	require.Equal(t, 200, code, body)
	_, body = get(t, url+"/metrics")
	require.Contains(t, body, `walletctl_build_info{service="gaming"`)
	code, _ = get(t, url+"/anything")
	require.Equal(t, 404, code)

	// The schema is looked at for as long as the service runs.
	invalidate(t, db)
	code, body = get(t, url+"/readyz")
	require.Equal(t, 503, code)
	require.Contains(t, body, "entries_idempotency_key of gaming.entries is not valid")

	require.NoError(t, p.Process.Signal(syscall.SIGTERM))
	p.await(t, "stopping")
	p.await(t, "stopped")
	require.Equal(t, 0, p.code(t))
}

func TestService_RefusesToStart(t *testing.T) {
	t.Parallel()
	broken := wallettest.NewDatabase(t)
	invalidate(t, broken)
	brokenURL := broken.URL(t, wallettest.Gaming)
	for problem, environ := range map[string][]string{
		"is not valid":                    {"GAMING_DATABASE_URL=" + brokenURL},
		"GAMING_DATABASE_URL is not set":  {},
		"GAMING_DATABASE_URL is not a":    {"GAMING_DATABASE_URL=postgres://u:hunter2%zz@h/d"},
		"LOG_LEVEL is not a level":        {"GAMING_DATABASE_URL=" + brokenURL, "LOG_LEVEL=loud"},
		"SHUTDOWN_ANNOUNCE is not below":  {"GAMING_DATABASE_URL=" + brokenURL, "SHUTDOWN_ANNOUNCE=1m"},
		"connect by GAMING_DATABASE_URL:": {"GAMING_DATABASE_URL=postgres://u:hunter2@127.0.0.1:1/d", "DATABASE_WAIT=1ms"},
	} {
		p := start(t, environ...)
		line := p.await(t, "service ends")
		require.Contains(t, line["error"], problem)
		require.NotEmpty(t, line["try"])
		require.NotContains(t, strings.Join([]string{line["error"].(string), line["try"].(string)}, " "), "hunter2")
		require.Equal(t, 1, p.code(t))
	}
}
