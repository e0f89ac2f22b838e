package ledger

import (
	"slices"

	"github.com/walletctl/walletctl/walletcore"
)

// brand is what was read of one with the locks held. Being live is for good, so
// no lock is needed to rely on it.
type brand struct {
	state  walletcore.BrandState
	frozen bool
}

// readBrand notes what a row says of its brand; of one that nobody named it
// says nothing, and that is closed.
func (s *state) readBrand(name string, state *string, frozen *bool) {
	found := &brand{state: walletcore.BrandClosed}
	if state != nil {
		found.state, found.frozen = walletcore.BrandState(*state), *frozen
	}
	s.brands[name] = found
}

// passedOver has the outcomes of a request with a movement of a brand that is
// not live: a *walletcore.NotLiveError for each such movement. It is nil where
// all brands are live.
func (s *state) passedOver(request Request) []Outcome {
	var outcomes []Outcome
	for i := range request {
		name := request[i].Wallet.Brand
		state := s.brands[name].state
		if state == walletcore.BrandLive {
			continue
		}
		if outcomes == nil {
			outcomes = slices.Repeat([]Outcome{{Err: ErrNotPosted}}, len(request))
		}
		outcomes[i].Err = &walletcore.NotLiveError{Brand: name, State: state}
	}
	return outcomes
}
