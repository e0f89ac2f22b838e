package walletcore

// effects say how each kind may move money, by the signs of the two changes.
var effects = map[Kind]func(real, bonus int) bool{
	KindDeposit:            func(real, bonus int) bool { return real > 0 && bonus == 0 },
	KindWithdrawal:         func(real, bonus int) bool { return real < 0 && bonus == 0 },
	KindWithdrawalReversal: func(real, bonus int) bool { return real > 0 && bonus == 0 },
	KindBet:                func(real, bonus int) bool { return real <= 0 && bonus <= 0 },
	KindWin:                func(real, bonus int) bool { return real >= 0 && bonus >= 0 },
	KindRefund:             func(real, bonus int) bool { return real >= 0 && bonus >= 0 },
	KindWinReversal:        func(real, bonus int) bool { return real <= 0 && bonus <= 0 },
	KindBonusGrant:         func(real, bonus int) bool { return real == 0 && bonus > 0 },
	KindBonusForfeit:       func(real, bonus int) bool { return real == 0 && bonus < 0 },
	KindBonusConversion:    func(real, bonus int) bool { return real > 0 && bonus < 0 },
	KindAdjustment:         func(real, bonus int) bool { return (real == 0) != (bonus == 0) },
	KindHistorySeal:        func(real, bonus int) bool { return real == 0 && bonus == 0 },
}

// MayMove reports whether a movement of kind k, above seq 0 or in the older
// history and without a mark that stops it, may change the balances like this.
// They are the rules of the check on entries in the database, which its owner
// could drop.
func (k Kind) MayMove(p Parts) bool {
	effect, known := effects[k]
	if !known || (k == KindBonusConversion && p.Real != p.Bonus.Neg()) {
		return false
	}
	return effect(p.Real.Sign(), p.Bonus.Sign())
}
