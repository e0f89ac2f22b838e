package play

import (
	"github.com/walletctl/walletctl/walletcore"
	"github.com/walletctl/walletctl/walletcore/ledger"
	"github.com/walletctl/walletctl/walletcore/provider"
)

// kinds are the movements of each action. What does not say whether it undoes
// a bet or a win is both: one undoes what there is, the other leaves a
// tombstone.
var kinds = map[provider.Kind][]walletcore.Kind{
	provider.Bet:         {walletcore.KindBet},
	provider.Win:         {walletcore.KindWin},
	provider.Refund:      {walletcore.KindRefund},
	provider.WinReversal: {walletcore.KindWinReversal},
	provider.Rollback:    {walletcore.KindRefund, walletcore.KindWinReversal},
}

func (w *Wallet) movements(request *provider.Request) ledger.Request {
	rules := w.rules(request)
	var movements ledger.Request
	for _, action := range request.Actions {
		for _, kind := range kinds[action.Kind] {
			movements = append(movements, ledger.Movement{
				Wallet: request.Wallet, Kind: kind, ExternalID: action.ID, Amount: action.Amount,
				Bets: action.Bets, Rules: rules, Actor: request.Actor,
				Reference: action.Reference, RoundID: action.RoundID, OccurredAt: request.At,
			})
		}
	}
	return movements
}

func (w *Wallet) rules(request *provider.Request) ledger.Rules {
	policy := &request.Policy
	return ledger.Rules{
		Split:          w.o.Splits[request.Wallet.Brand],
		WinWithoutBet:  ledger.WinWithoutBet(policy.WinWithoutBet),
		RefundAfterWin: policy.RefundAfterWin == provider.Accepted,
		MayDebt:        policy.WinRollback == provider.Debt,
		GlobalIDs:      policy.IDs == provider.Global,
		RefuseLate:     policy.LateBet == provider.Refused,
	}
}
