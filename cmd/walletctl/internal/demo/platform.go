package demo

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/walletctl/walletctl/cmd/internal/process"
)

// The services of the day.
const (
	casino1 = "casino-1"
	casino2 = "casino-2"
	gaming1 = "gaming-1"
	gaming2 = "gaming-2" // behind the lossy network
)

// platform is two replicas of each service, and what the demo looks at them
// with.
type platform struct {
	options  Options
	dir      string
	run      string // makes the ids of this run its own
	secrets  map[string]string
	services map[string]*process.Process
	lossy    *lossy
	lossyURL string
	casinoDB *pgxpool.Pool
	gamingDB *pgxpool.Pool
}

const casinoConfig = `service_tokens:
  - {name: site-acme, brand: acme, token: "env:DEMO_ACME_TOKEN"}
  - {name: site-bravo, brand: bravo, token: "env:DEMO_BRAVO_TOKEN"}
gateways:
  - {gateway: generic, account: acme-eu, brand: acme, dialect: generic, secrets: ["env:DEMO_GENERIC_SECRET"]}
  - {gateway: stripe, account: acme-eu, brand: acme, dialect: stripe, secrets: ["env:DEMO_STRIPE_SECRET"]}
  - {gateway: generic, account: bravo-eu, brand: bravo, dialect: generic, secrets: ["env:DEMO_BRAVO_SECRET"]}
`

func newPlatform(ctx context.Context, o Options) (_ *platform, err error) {
	p := &platform{options: o, run: randomHex(4), secrets: map[string]string{}, services: map[string]*process.Process{}}
	for _, name := range []string{
		"DEMO_ACME_TOKEN", "DEMO_BRAVO_TOKEN", "DEMO_GENERIC_SECRET", "DEMO_STRIPE_SECRET", "DEMO_BRAVO_SECRET", "DEMO_GAMES_SECRET",
	} {
		p.secrets[name] = randomHex(24)
	}
	if p.dir, err = os.MkdirTemp("", "walletctl-demo-"); err != nil {
		return nil, err
	}
	for name, content := range map[string]string{"casino.yaml": casinoConfig, "providers.yaml": providersConfig} {
		if err := os.WriteFile(filepath.Join(p.dir, name), []byte(content), 0o600); err != nil {
			return p, err
		}
	}
	if p.casinoDB, err = pgxpool.New(ctx, o.CasinoURL.Reveal()); err != nil {
		return p, errors.New("CASINO_DATABASE_URL cannot be parsed")
	}
	if p.gamingDB, err = pgxpool.New(ctx, o.GamingURL.Reveal()); err != nil {
		return p, errors.New("GAMING_DATABASE_URL cannot be parsed")
	}
	p.lossy, p.lossyURL, err = newLossy(o.GamingAMQPURL.Reveal())
	return p, err
}

// start starts a service and waits until it is ready.
func (p *platform) start(ctx context.Context, name string) error {
	kind, env := "gaming", []string{
		"AMQP_URL=" + p.options.GamingAMQPURL.Reveal(), "LEDGER_HEARTBEAT=1s",
		"GAMING_PROVIDERS=" + filepath.Join(p.dir, "providers.yaml"), "DEMO_GAMES_SECRET=" + p.secrets["DEMO_GAMES_SECRET"],
	}
	switch name {
	case gaming2:
		env[0] = "AMQP_URL=" + p.lossyURL
	case casino1, casino2:
		kind = "casino"
		env = []string{
			"AMQP_URL=" + p.options.CasinoAMQPURL.Reveal(), "CASINO_CONFIG=" + filepath.Join(p.dir, "casino.yaml"),
			"CREDIT_RETRY_BASE=" + retryBase.String(), "RPC_TIMEOUT=" + rpcTimeout.String(), "SWEEP_INTERVAL=5s",
		}
		for secret, value := range p.secrets {
			env = append(env, secret+"="+value)
		}
	}
	binary, err := p.options.binary(kind)
	if err != nil {
		return err
	}
	log, err := os.OpenFile(filepath.Join(p.dir, name+".log"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	service, err := process.Start(process.Options{Name: name, Binary: binary, Env: env, Log: log})
	if err != nil {
		return err
	}
	p.services[name] = service
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	return service.WaitReady(ctx)
}

// stop asks every service to end, and reports those that did not end well.
func (p *platform) stop(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), patience)
	defer cancel()
	var problems []error
	for name, service := range p.services {
		if err := service.Terminate(ctx); err != nil {
			problems = append(problems, err)
		}
		delete(p.services, name)
	}
	return errors.Join(problems...)
}

// close ends what is left and removes the folder, unless the day went wrong:
// then the logs are of use.
func (p *platform) close(ctx context.Context, failed bool) {
	_ = p.stop(ctx)
	if p.lossy != nil {
		p.lossy.close()
	}
	for _, pool := range []*pgxpool.Pool{p.casinoDB, p.gamingDB} {
		if pool != nil {
			pool.Close()
		}
	}
	if failed {
		fmt.Fprintf(p.options.Out, "\nThe services' logs are in %s\n", p.dir)
		return
	}
	_ = os.RemoveAll(p.dir)
}

func randomHex(n int) string {
	b := make([]byte, n)
	_, _ = rand.Read(b)
	return hex.EncodeToString(b)
}
