package play

import (
	"errors"

	"github.com/walletctl/walletctl/walletcore/ledger"
	"github.com/walletctl/walletctl/walletcore/provider"
)

// outcome makes one of those of an action's movements. A refusal of one refuses
// the action; otherwise the one that moved money stands for it, or else the
// first.
func outcome(posted []ledger.Outcome) provider.Outcome {
	chosen := &posted[0]
	for i := range posted {
		candidate := &posted[i]
		switch {
		case refused(candidate.Err) && !refused(chosen.Err):
			chosen = candidate
		case chosen.Err == nil && candidate.Err == nil && chosen.Posted.Receipt.Mark != "" && candidate.Posted.Receipt.Mark == "":
			chosen = candidate
		}
	}
	if errors.Is(chosen.Err, ledger.ErrNotPosted) {
		return provider.Outcome{Err: provider.ErrNotPosted}
	}
	return provider.Outcome{Posted: chosen.Posted, Err: chosen.Err}
}

func refused(err error) bool { return err != nil && !errors.Is(err, ledger.ErrNotPosted) }
