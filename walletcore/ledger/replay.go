package ledger

import (
	"github.com/walletctl/walletctl/walletcore"
)

// replay answers a key that stands in the ledger: the original receipt, once
// the content is found equal, or the field that differs. A marked entry moved
// nothing, so there is no amount to compare.
func replay(m *Movement, found *known) Outcome {
	original := found.receipt
	if m.Kind == walletcore.KindAdjustment {
		return replayAdjustment(m, &original)
	}
	if original.Mark == "" {
		if moved := magnitude(&original); moved != m.Amount && !(mayOmitAmount(m.Kind) && m.Amount.IsZero()) {
			return Outcome{Err: conflict(m, "amount", moved.String(), m.Amount.String())}
		}
	}
	if m.RoundID != "" && found.roundID != "" && m.RoundID != found.roundID {
		return Outcome{Err: conflict(m, "round_id", found.roundID, m.RoundID)}
	}
	return Outcome{Posted: walletcore.Posted{Receipt: original, Replayed: true}}
}

func replayAdjustment(m *Movement, original *walletcore.Receipt) Outcome {
	if moved := original.Moved(); moved != m.Change {
		return Outcome{Err: conflict(m, "amount", moved.Total().String(), m.Change.Total().String())}
	}
	return Outcome{Posted: walletcore.Posted{Receipt: *original, Replayed: true}}
}

// magnitude is the amount that a movement asked for, as its entry tells it.
func magnitude(r *walletcore.Receipt) walletcore.Money {
	moved := r.Moved()
	total := moved.Total()
	if r.Kind == walletcore.KindBonusConversion {
		total = moved.Real
	}
	if total.Sign() < 0 {
		return total.Neg()
	}
	return total
}

// mayOmitAmount: what undoes something takes its amount from there.
func mayOmitAmount(kind walletcore.Kind) bool {
	_, undoes := kind.Undoes()
	return undoes
}

// otherOwner names the first part in which the wallet differs that holds the
// key.
func otherOwner(m *Movement, owner walletcore.WalletKey) error {
	switch {
	case owner.Brand != m.Wallet.Brand:
		return conflict(m, "brand", owner.Brand, m.Wallet.Brand)
	case owner.User != m.Wallet.User:
		return conflict(m, "user", owner.User, m.Wallet.User)
	default:
		return conflict(m, "currency", owner.Currency, m.Wallet.Currency)
	}
}

func conflict(m *Movement, field, stored, given string) error {
	return &walletcore.ConflictError{
		Kind: m.Kind, ExternalID: m.ExternalID, Field: field, Stored: stored, Given: given,
	}
}
