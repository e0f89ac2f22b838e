package chaincheck

import "github.com/walletctl/walletctl/walletcore"

// effects say how each kind may move money, the same rules as the check on
// entries in the database, which its owner could drop. A kind without a line
// here is newer than this program.
var effects = map[walletcore.Kind]func(*walletcore.Entry) bool{
	walletcore.KindOpening: func(e *walletcore.Entry) bool {
		return e.Seq == 0 && e.RealBefore.IsZero() && e.RealAfter.IsZero() && e.BonusBefore.IsZero() && e.BonusAfter.IsZero()
	},
	walletcore.KindDeposit: func(e *walletcore.Entry) bool {
		return e.Seq > 0 && e.Real().Sign() > 0 && e.Bonus().IsZero()
	},
}

var directions = map[walletcore.Kind]string{
	walletcore.KindOpening: "opens at seq 0 and moves nothing",
	walletcore.KindDeposit: "adds to real and leaves bonus",
}
