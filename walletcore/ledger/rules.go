package ledger

import (
	"fmt"

	"github.com/walletctl/walletctl/walletcore"
)

// Rules are the points in which public contracts contradict each other, set by
// brand and provider. No rule moves money twice or for free. The zero value is
// the default of each.
type Rules struct {
	// Split says which balance pays a bet. Default: real first.
	Split walletcore.SplitPolicy
	// WinWithoutBet says where a win goes that resolves no bet. Default: real.
	WinWithoutBet WinWithoutBet
	// RefundAfterWin allows the refund of a bet whose round has a win. Default:
	// it is refused.
	RefundAfterWin bool
	// MayDebt lets the reversal of a win, or an adjustment, go below zero, as a debt.
	// Default: it is refused.
	MayDebt bool
	// GlobalIDs says that the giver's ids are unique over all wallets: the same
	// id for another player is then a conflict, not another movement.
	GlobalIDs bool
	// RefuseLate refuses a bet or a win that comes, or comes again, after its
	// refund or reversal, and its request with it. Default: one that comes after
	// it leaves an entry of zero, marked void, and a resend gets its receipt.
	RefuseLate bool
}

// WinWithoutBet is what happens to a win that resolves no bet.
type WinWithoutBet string

// The choices.
const (
	WinToReal  WinWithoutBet = "real"
	WinToBonus WinWithoutBet = "bonus"
	WinRefused WinWithoutBet = "refused"
)

// Validate refuses rules that do not exist.
func (r *Rules) Validate() error {
	switch r.WinWithoutBet {
	case "", WinToReal, WinToBonus, WinRefused:
	default:
		return fmt.Errorf("win without bet %q is not one of real, bonus, refused", string(r.WinWithoutBet))
	}
	return r.Split.Validate()
}
