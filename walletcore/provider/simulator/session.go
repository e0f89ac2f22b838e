package simulator

import (
	"context"
	"errors"

	"github.com/walletctl/walletctl/walletcore"
	"github.com/walletctl/walletctl/walletcore/provider"
)

// session plays one player.
type session struct {
	run    *run
	traits traits
	number int // of the player
	wallet wallet
	model  *model
	seen   map[string]*record // ids of ours, of all records
	found  int                // findings
	funds  int                // times that money was paid in
}

// errGone ends a player: not even the balance is told any more, which has been
// found and said.
var errGone = errors.New("the service tells no balance")

// play plays all rounds. The error is errGone, or the context's.
func (s *session) play(ctx context.Context, player *Player) error {
	if err := s.accept(ctx, Start, ""); err != nil {
		return err
	}
	for i := range player.Rounds {
		if err := s.playRound(ctx, &player.Rounds[i]); err != nil {
			return err
		}
	}
	return nil
}

func (s *session) playRound(ctx context.Context, round *Round) error {
	if s.model.balance.Cmp(round.Needs) < 0 && s.run.options.funds() {
		if err := s.fund(ctx, round.Needs); err != nil {
			return err
		}
	}
	if s.model.balance.Cmp(round.Needs) < 0 {
		s.run.report.played(round.Scenario, true)
		return nil
	}
	for i := range round.Steps {
		if err := s.step(ctx, round.Scenario, &round.Steps[i]); err != nil {
			return err
		}
	}
	if err := s.check(ctx, round.Scenario, round.ID); err != nil {
		return err
	}
	s.run.report.played(round.Scenario, false)
	return nil
}

// fund pays a win without a bet in.
func (s *session) fund(ctx context.Context, needs walletcore.Money) error {
	ids := ids{run: runName(s.run.options), player: s.number, round: s.run.options.Rounds, style: plain, count: s.funds}
	s.funds++
	amount := s.run.options.Fund
	if amount.Cmp(needs) < 0 {
		amount = needs
	}
	win := Action{Kind: provider.Win, ID: ids.next("fund"), Amount: amount}
	step := Step{Calls: []Call{{Round: win.ID, Actions: []Action{win}}}}
	found := s.found
	if err := s.step(ctx, Funding, &step); err != nil {
		return err
	}
	if s.found == found {
		s.run.report.funded(amount)
	}
	return nil
}
