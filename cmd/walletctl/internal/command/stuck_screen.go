package command

import (
	"context"
	"errors"
	"slices"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/spf13/cobra"

	"github.com/walletctl/walletctl/cmd/internal/config"
	"github.com/walletctl/walletctl/cmd/internal/postgres"
	"github.com/walletctl/walletctl/replay"
	"github.com/walletctl/walletctl/replay/tui"
)

// screenConns is the size of the screen's pools: the list, the story, and the
// outcomes that a bulk replay waits for.
const screenConns = 8

// runStuckScreen shows what is stuck to a person. It draws before a database
// has answered, and goes on where none does.
func runStuckScreen(cmd *cobra.Command, f *factory) error {
	if tui.CheckTerminal(f.streams.In, f.streams.Out) != nil || slices.Contains(f.environ, "TERM=dumb") {
		return errNoScreen()
	}
	desk, err := f.screenDesk(cmd.Context())
	if err != nil {
		return err
	}
	defer closeSoon(desk)
	err = tui.Run(cmd.Context(), tui.Options{
		Desk: desk, Who: desk.Casino.Config().ConnConfig.User, Now: f.now,
		Input: f.streams.In, Output: f.streams.Out, Color: f.streams.Color,
	})
	var defect *tui.PanicError
	if errors.As(err, &defect) {
		_, _ = f.streams.Err.Write(defect.Stack)
	}
	return err
}

// screenDesk returns a desk on pools that have not connected yet. Gaming's
// database may be left out: the screen then says what it does not know.
func (f *factory) screenDesk(ctx context.Context) (*replay.Desk, error) {
	s, err := f.settings()
	if err != nil {
		return nil, err
	}
	desk := &replay.Desk{}
	if desk.Casino, err = f.openLazily(ctx, s, "CASINO_DATABASE_URL", s.CasinoURL); err != nil {
		return nil, err
	}
	if s.GamingURL == "" {
		return desk, nil
	}
	if desk.Gaming, err = f.openLazily(ctx, s, "GAMING_DATABASE_URL", s.GamingURL); err != nil {
		desk.Casino.Close()
		return nil, err
	}
	return desk, nil
}

func (f *factory) openLazily(ctx context.Context, s settings, variable string, url config.Secret) (*pgxpool.Pool, error) {
	return postgres.OpenLazily(ctx, postgres.Options{
		Variable: variable, URL: url, ApplicationName: "walletctl", MaxConns: screenConns, Pooler: s.Pooler,
	})
}

// closeSoon lets nobody wait for a connection that does not answer: the process
// ends, and its connections with it.
func closeSoon(desk *replay.Desk) {
	go desk.Casino.Close()
	if desk.Gaming != nil {
		go desk.Gaming.Close()
	}
}
