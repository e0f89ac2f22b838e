package command

import (
	"context"
	"errors"
	"fmt"

	"github.com/walletctl/walletctl/cmd/internal/exit"
	"github.com/walletctl/walletctl/cmd/internal/hint"
	"github.com/walletctl/walletctl/cmd/walletctl/internal/output"
	"github.com/walletctl/walletctl/replay"
)

// oncallDesk is a desk with what could not be reached of it.
type oncallDesk struct {
	replay.Desk
	gamingErr error // why gaming's half is missing though its URL is set
}

// desk opens both halves of the desk. gaming's may be missing: what is casino's
// alone does not wait for it, and whoever needs it asks withGaming.
func (f *factory) desk(ctx context.Context) (*oncallDesk, error) {
	s, err := f.settings()
	if err != nil {
		return nil, err
	}
	d := &oncallDesk{}
	if d.Casino, err = f.open(ctx, s, "CASINO_DATABASE_URL", s.CasinoURL, 4); err != nil {
		return nil, err
	}
	switch {
	case s.GamingURL == s.CasinoURL:
		d.Gaming = d.Casino
	case s.GamingURL != "":
		d.Gaming, d.gamingErr = f.open(ctx, s, "GAMING_DATABASE_URL", s.GamingURL, 2)
	}
	if d.gamingErr != nil {
		d.Gaming = nil
		fmt.Fprintf(f.streams.Err, "without gaming's half: %s\n", output.Safe(d.gamingErr.Error()))
	}
	return d, ctx.Err()
}

// gamingDesk opens gaming's half alone.
func (f *factory) gamingDesk(ctx context.Context) (*oncallDesk, error) {
	s, err := f.settings()
	if err != nil {
		return nil, err
	}
	d := &oncallDesk{}
	d.Gaming, err = f.open(ctx, s, "GAMING_DATABASE_URL", s.GamingURL, 2)
	return d, err
}

func (d *oncallDesk) close() {
	if d.Casino != nil {
		d.Casino.Close()
	}
	if d.Gaming != nil && d.Gaming != d.Casino {
		d.Gaming.Close()
	}
}

// half makes a result that lacks gaming's half one that is partly done.
func (d *oncallDesk) half() error {
	if d.gamingErr == nil {
		return nil
	}
	return &statusError{code: exit.Partly, err: fmt.Errorf("the result lacks gaming's half: %w", d.gamingErr)}
}

// tryOncall adds what to do about an error of the desk.
func tryOncall(err error) error {
	var other *replay.CaseError
	switch {
	case err == nil || hint.Of(err) != "":
		return err
	case errors.Is(err, replay.ErrForbidden):
		return hint.With(err, "set CASINO_DATABASE_URL and GAMING_DATABASE_URL to your own login, which must be a member of oncall or supervisor")
	case errors.Is(err, replay.ErrNoGaming):
		return hint.With(err, "set GAMING_DATABASE_URL to your own login")
	case errors.As(err, &other) && other.Closed:
		return hint.With(err, "walletctl cases show "+other.Ref.String())
	case errors.As(err, &other):
		return hint.With(err, "talk to its owner, or walletctl cases claim "+other.Ref.String()+" --take-over")
	}
	return err
}

// casinoDesk opens casino's half alone: what is stuck is casino's.
func (f *factory) casinoDesk(ctx context.Context) (*oncallDesk, error) {
	s, err := f.settings()
	if err != nil {
		return nil, err
	}
	d := &oncallDesk{}
	d.Casino, err = f.open(ctx, s, "CASINO_DATABASE_URL", s.CasinoURL, 4)
	return d, err
}
