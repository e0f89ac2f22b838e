package chaincheck

import (
	"slices"

	"github.com/walletctl/walletctl/walletcore"
)

var directions = map[walletcore.Kind]string{
	walletcore.KindOpening:            "opens at seq 0 and moves nothing",
	walletcore.KindBroughtForward:     "opens at seq 0 with a balance and moves nothing",
	walletcore.KindHistorySeal:        "moves nothing",
	walletcore.KindDeposit:            "adds to real and leaves bonus",
	walletcore.KindWithdrawal:         "takes from real and leaves bonus",
	walletcore.KindWithdrawalReversal: "adds to real and leaves bonus",
	walletcore.KindBet:                "takes from real and bonus",
	walletcore.KindWin:                "adds to real and bonus",
	walletcore.KindRefund:             "adds to real and bonus",
	walletcore.KindWinReversal:        "takes from real and bonus",
	walletcore.KindBonusGrant:         "adds to bonus and leaves real",
	walletcore.KindBonusForfeit:       "takes from bonus and leaves real",
	walletcore.KindBonusConversion:    "moves from bonus to real",
	walletcore.KindAdjustment:         "moves either real or bonus",
}

// marked lists the kinds that may move nothing for a reason of their own.
var marked = map[walletcore.Mark]map[walletcore.Kind]bool{
	walletcore.MarkTombstone: {
		walletcore.KindRefund: true, walletcore.KindWinReversal: true, walletcore.KindWithdrawalReversal: true,
	},
	walletcore.MarkVoid: {walletcore.KindBet: true, walletcore.KindWin: true, walletcore.KindWithdrawal: true},
}

// allowed reports whether the entry moves money as its kind may, and whether
// its kind is known.
func allowed(e *walletcore.Entry) (ok, known bool) {
	if e.Kind == walletcore.KindOpening {
		return e.Seq == 0 && e.RealBefore.IsZero() && e.RealAfter.IsZero() && e.BonusBefore.IsZero() && e.BonusAfter.IsZero(), true
	}
	if e.Kind == walletcore.KindBroughtForward {
		return e.Seq == 0 && e.RealBefore == e.RealAfter && e.BonusBefore == e.BonusAfter, true
	}
	if !slices.Contains(walletcore.Kinds, e.Kind) {
		return false, false // newer than this program
	}
	real, bonus := e.Real(), e.Bonus()
	if e.Mark != "" {
		return e.Seq > 0 && real.IsZero() && bonus.IsZero() && marked[e.Mark][e.Kind], true
	}
	return e.Seq > 0 && e.Kind.MayMove(e.Moved()), true
}
