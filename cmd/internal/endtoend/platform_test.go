package endtoend_test

import (
	"context"
	"maps"
	"net/url"
	"os"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/cmd/internal/process"
	"github.com/walletctl/walletctl/walletcore"
	"github.com/walletctl/walletctl/walletcore/wallettest"
)

// settings are variables of a service's environment.
type settings map[string]string

func (s settings) environ() []string {
	var environ []string
	for _, name := range slices.Sorted(maps.Keys(s)) {
		environ = append(environ, name+"="+s[name])
	}
	return environ
}

// platform is the services of two brands on a database and a broker host of
// their own.
type platform struct {
	t      *testing.T
	db     *wallettest.Database
	broker *wallettest.Broker
	admin  *pgxpool.Pool
	keys   *walletcore.Keyring
	doors  doors
	base   settings
	logs   []*logbook

	casino, gaming atomic.Pointer[process.Process]
}

// newPlatform returns a platform without a service that runs. The settings are
// every service's, before those that a start is given.
func newPlatform(t *testing.T, base settings) *platform {
	t.Helper()
	p := &platform{t: t, db: wallettest.NewDatabase(t), broker: wallettest.NewBroker(t), doors: newDoors(t)}
	p.admin = p.db.Pool(t, wallettest.Admin)
	var err error
	p.keys, err = walletcore.LoadKeyring(wallettest.Getenv(t, "LEDGER_KEYS_FILE"))
	require.NoError(t, err)
	p.base = settings{
		"CREDIT_RETRY_BASE": "100ms",
		"CREDIT_WORKERS":    "8",
		"RPC_WORKERS":       "8",
		"SHUTDOWN_GRACE":    "20s",
		"LOG_LEVEL":         "debug",
	}
	maps.Copy(p.base, base)
	t.Cleanup(func() {
		for _, log := range p.logs {
			if t.Failed() {
				log.tell(t)
			}
		}
	})
	return p
}

// newRunning returns a platform with one casino and one gaming that are ready.
func newRunning(t *testing.T, base settings) *platform {
	t.Helper()
	p := newPlatform(t, base)
	p.startGaming(nil)
	p.startCasino(nil)
	return p
}

// startGaming starts a gaming, waits until it is ready and makes it the
// platform's.
func (p *platform) startGaming(own settings) *process.Process {
	p.t.Helper()
	gaming := p.launch("gaming", own)
	p.ready(gaming)
	p.gaming.Store(gaming)
	return gaming
}

// startCasino does the same for a casino.
func (p *platform) startCasino(own settings) *process.Process {
	p.t.Helper()
	casino := p.launch("casino", own)
	p.ready(casino)
	p.casino.Store(casino)
	return casino
}

func (p *platform) ready(service *process.Process) {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.t.Context(), patience)
	defer cancel()
	require.NoError(p.t, service.WaitReady(ctx))
}

// launch starts a service and does not wait. It is killed when the test ends.
func (p *platform) launch(name string, own settings) *process.Process {
	p.t.Helper()
	all := settings{}
	maps.Copy(all, p.base)
	maps.Copy(all, p.settingsOf(name))
	maps.Copy(all, own)
	log := &logbook{name: name}
	p.logs = append(p.logs, log)
	service, err := process.Start(process.Options{Name: name, Binary: binary(p.t, name), Env: all.environ(), Log: log})
	require.NoError(p.t, err)
	p.t.Cleanup(service.Kill)
	return service
}

func (p *platform) settingsOf(name string) settings {
	if name == "casino" {
		own := settings{
			"CASINO_DATABASE_URL": p.db.URL(p.t, wallettest.Casino),
			"AMQP_URL":            p.broker.URL(p.t, wallettest.CasinoBroker),
			"CASINO_CONFIG":       p.doors.file,
		}
		maps.Copy(own, p.doors.environment)
		return own
	}
	return settings{
		"GAMING_DATABASE_URL": p.db.URL(p.t, wallettest.Gaming),
		"AMQP_URL":            p.broker.URL(p.t, wallettest.GamingBroker),
	}
}

// stop tells a service to stop, which it must do with exit code 0 before its
// grace is over.
func (p *platform) stop(service *process.Process) {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.t.Context(), patience)
	defer cancel()
	require.NoError(p.t, service.Terminate(ctx))
}

// lastLog returns the log of the service that was started last.
func (p *platform) lastLog() *logbook { return p.logs[len(p.logs)-1] }

// secrets lists what no log may show.
func (p *platform) secrets() []string {
	p.t.Helper()
	secrets := p.doors.secrets()
	for _, raw := range []string{
		p.db.URL(p.t, wallettest.Casino), p.db.URL(p.t, wallettest.Gaming),
		p.broker.URL(p.t, wallettest.CasinoBroker), p.broker.URL(p.t, wallettest.GamingBroker),
	} {
		u, err := url.Parse(raw)
		require.NoError(p.t, err)
		password, _ := u.User.Password()
		require.NotEmpty(p.t, password)
		secrets = append(secrets, password)
	}
	keys, err := os.ReadFile(wallettest.Getenv(p.t, "LEDGER_KEYS_FILE"))
	require.NoError(p.t, err)
	return append(secrets, hexKeys.FindAllString(string(keys), -1)...)
}
