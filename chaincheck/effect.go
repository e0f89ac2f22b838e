package chaincheck

import "github.com/walletctl/walletctl/walletcore"

// effects say how each kind may move money, the same rules as the check on
// entries in the database, which its owner could drop. A kind without a line
// here is newer than this program.
var effects = map[walletcore.Kind]func(real, bonus int) bool{
	walletcore.KindDeposit:            func(real, bonus int) bool { return real > 0 && bonus == 0 },
	walletcore.KindWithdrawal:         func(real, bonus int) bool { return real < 0 && bonus == 0 },
	walletcore.KindWithdrawalReversal: func(real, bonus int) bool { return real > 0 && bonus == 0 },
	walletcore.KindBet:                func(real, bonus int) bool { return real <= 0 && bonus <= 0 },
	walletcore.KindWin:                func(real, bonus int) bool { return real >= 0 && bonus >= 0 },
	walletcore.KindRefund:             func(real, bonus int) bool { return real >= 0 && bonus >= 0 },
	walletcore.KindWinReversal:        func(real, bonus int) bool { return real <= 0 && bonus <= 0 },
	walletcore.KindBonusGrant:         func(real, bonus int) bool { return real == 0 && bonus > 0 },
	walletcore.KindBonusForfeit:       func(real, bonus int) bool { return real == 0 && bonus < 0 },
	walletcore.KindBonusConversion:    func(real, bonus int) bool { return real > 0 && bonus < 0 },
	walletcore.KindAdjustment:         func(real, bonus int) bool { return (real == 0) != (bonus == 0) },
	walletcore.KindHistorySeal:        func(real, bonus int) bool { return real == 0 && bonus == 0 },
}

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
	effect, known := effects[e.Kind]
	if !known {
		return false, false
	}
	real, bonus := e.Real(), e.Bonus()
	if e.Mark != "" {
		return e.Seq > 0 && real.IsZero() && bonus.IsZero() && marked[e.Mark][e.Kind], true
	}
	if e.Kind == walletcore.KindBonusConversion && real != bonus.Neg() {
		return false, true
	}
	return e.Seq > 0 && effect(real.Sign(), bonus.Sign()), true
}
