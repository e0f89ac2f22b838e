package command

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/spf13/cobra"

	"github.com/walletctl/walletctl/chaincheck"
	"github.com/walletctl/walletctl/cmd/internal/config"
	"github.com/walletctl/walletctl/cmd/internal/postgres"
	"github.com/walletctl/walletctl/cmd/walletctl/internal/output"
)

// factory is what commands are made of.
type factory struct {
	streams output.Streams
	environ []string
	config  string // --config
	now     func() time.Time
	check   func(context.Context, chaincheck.Deps, chaincheck.Options) (chaincheck.Report, error)
}

func newFactory(streams output.Streams, environ []string) *factory {
	if environ == nil {
		environ = []string{}
	}
	return &factory{streams: streams, environ: environ, now: time.Now, check: chaincheck.Run}
}

// settings are what the commands take from the environment; `walletctl help
// environment` explains them.
type settings struct {
	GamingURL  config.Secret `env:"GAMING_DATABASE_URL"`
	CasinoURL  config.Secret `env:"CASINO_DATABASE_URL"`
	ReplicaURL config.Secret `env:"DATABASE_REPLICA_URL"`
	Pooler     string        `env:"DATABASE_POOLER"`
	Wait       time.Duration `env:"DATABASE_WAIT"`
	KeysFile   string        `env:"LEDGER_KEYS_FILE"`
	StateDir   string        `env:"CHAINCHECK_STATE"`
	Textfile   string        `env:"CHAINCHECK_TEXTFILE"`
	PingURL    config.Secret `env:"CHAINCHECK_PING_URL"`
}

func (f *factory) settings() (settings, error) {
	flags := map[string]string{}
	if f.config != "" {
		flags[config.FileVariable] = f.config
	}
	return config.Load[settings](config.Options{Flags: flags, Environ: f.environ})
}

// open returns a small pool that the caller closes.
func (f *factory) open(ctx context.Context, s settings, variable string, url config.Secret, size int32) (*pgxpool.Pool, error) {
	return postgres.Open(ctx, postgres.Options{
		Variable:        variable,
		URL:             url,
		ApplicationName: "walletctl",
		MaxConns:        size,
		Pooler:          s.Pooler,
		Wait:            s.Wait,
	})
}

// casino opens the database of deposits and withdrawals; the caller closes the
// pool.
func (f *factory) casino(ctx context.Context) (*pgxpool.Pool, error) {
	s, err := f.settings()
	if err != nil {
		return nil, err
	}
	return f.open(ctx, s, "CASINO_DATABASE_URL", s.CasinoURL, 1)
}

// addOutput gives a command its -o.
func addOutput(cmd *cobra.Command, choice *output.Choice) {
	cmd.Flags().VarP(choice, "output", "o", choice.Usage())
	complete(cmd, "output", choice.Complete()...)
}

// complete offers values of a flag to the shell.
func complete(cmd *cobra.Command, flag string, values ...string) {
	fixed := cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp)
	if err := cmd.RegisterFlagCompletionFunc(flag, fixed); err != nil {
		panic(err) // the flag does not exist: a defect of the constructor
	}
}

// names are the values that a flag of a named kind of text takes.
func names[S ~string](values []S) []string {
	texts := make([]string, len(values))
	for i, value := range values {
		texts[i] = string(value)
	}
	return texts
}
