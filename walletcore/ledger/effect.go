package ledger

import (
	"fmt"

	"github.com/walletctl/walletctl/walletcore"
)

// apply moves the balances as the movement's kind says, or refuses. It returns
// the mark of an entry that has to be there and moves nothing.
func (p *plan) apply(m *Movement, k key, b *balance) (walletcore.Mark, error) {
	if mark := p.mark(k); mark != "" {
		if mark == walletcore.MarkVoid && m.Rules.RefuseLate {
			return "", refuse(walletcore.RefusedRolledBack, "its refund or reversal came first")
		}
		return mark, nil
	}
	if stoppedByFreeze(m.Kind) && (b.frozen || p.brands[m.Wallet.Brand].frozen) {
		return "", refuse(walletcore.RefusedFrozen, "the wallet or its brand is frozen")
	}
	change, err := p.change(m, k, b)
	if err != nil {
		return "", err
	}
	b.Real, b.Bonus = b.Real.Add(change.Real), b.Bonus.Add(change.Bonus)
	if !b.Real.InRange() || !b.Bonus.InRange() {
		return "", refuse(walletcore.RefusedOverflow, "the balance would not fit: at most 10 digits before the point")
	}
	return "", nil
}

// mark decides what came in the wrong order. A reversal of nothing leaves a
// tombstone, and what comes after its own tombstone is void.
func (p *plan) mark(k key) walletcore.Mark {
	other, ok := k.counterpart()
	if !ok {
		return ""
	}
	_, undoes := k.kind.Undoes()
	switch found := p.known[other]; {
	case undoes && (found == nil || found.receipt.Mark == walletcore.MarkVoid):
		return walletcore.MarkTombstone
	case !undoes && found != nil:
		return walletcore.MarkVoid
	}
	return ""
}

// change is what the movement does to the balances.
func (p *plan) change(m *Movement, k key, b *balance) (walletcore.Parts, error) {
	switch m.Kind {
	case walletcore.KindDeposit:
		return walletcore.Parts{Real: m.Amount}, nil
	case walletcore.KindWithdrawal:
		return withdraw(m, b)
	case walletcore.KindBet:
		return bet(m, b)
	case walletcore.KindWin:
		return p.win(m, k)
	case walletcore.KindRefund:
		return p.refund(m, k)
	case walletcore.KindWithdrawalReversal:
		return p.undoWhole(m, k)
	case walletcore.KindWinReversal:
		return p.reverseWin(m, k, b)
	case walletcore.KindBonusGrant:
		return walletcore.Parts{Bonus: m.Amount}, nil
	case walletcore.KindAdjustment:
		return adjust(m, b)
	default:
		return bonusOut(m, b)
	}
}

func refuse(code walletcore.RefusalCode, detail string) error {
	return &walletcore.RefusedError{Code: code, Detail: detail}
}

func noFunds(m *Movement, has walletcore.Money) error {
	return refuse(walletcore.RefusedNoFunds, fmt.Sprintf("a %s of %s needs more than the balance of %s", m.Kind, m.Amount, has))
}

func withdraw(m *Movement, b *balance) (walletcore.Parts, error) {
	if b.Real.Sign() < 0 {
		return walletcore.Parts{}, refuse(walletcore.RefusedDebt, "the real balance is below zero")
	}
	if m.Amount.Cmp(b.Real) > 0 {
		return walletcore.Parts{}, noFunds(m, b.Real)
	}
	return walletcore.Parts{Real: m.Amount.Neg()}, nil
}

func bet(m *Movement, b *balance) (walletcore.Parts, error) {
	if b.Real.Sign() < 0 {
		return walletcore.Parts{}, refuse(walletcore.RefusedDebt, "the real balance is below zero")
	}
	paid, ok := m.Rules.Split.Split(m.Amount, b.Parts)
	if !ok {
		return walletcore.Parts{}, noFunds(m, b.Total())
	}
	return negative(paid), nil
}

func negative(parts walletcore.Parts) walletcore.Parts {
	return walletcore.Parts{Real: parts.Real.Neg(), Bonus: parts.Bonus.Neg()}
}

// bonusOut takes from bonus: a conversion gives it to real.
func bonusOut(m *Movement, b *balance) (walletcore.Parts, error) {
	if m.Amount.Cmp(b.Bonus) > 0 {
		return walletcore.Parts{}, noFunds(m, b.Bonus)
	}
	change := walletcore.Parts{Bonus: m.Amount.Neg()}
	if m.Kind == walletcore.KindBonusConversion {
		change.Real = m.Amount
	}
	return change, nil
}

// win divides a win in the proportion of the bets that it resolves.
func (p *plan) win(m *Movement, k key) (walletcore.Parts, error) {
	bets := p.rounds.betsOf(m, k.wallet, p.known)
	if m.Amount.IsZero() {
		return walletcore.Parts{}, nil
	}
	if !bets.Total().IsZero() {
		return walletcore.SplitWin(m.Amount, bets), nil
	}
	switch m.Rules.WinWithoutBet {
	case WinRefused:
		return walletcore.Parts{}, refuse(walletcore.RefusedNoBet, "the win names no bet that was paid")
	case WinToBonus:
		return walletcore.Parts{Bonus: m.Amount}, nil
	default:
		return walletcore.Parts{Real: m.Amount}, nil
	}
}

func (p *plan) refund(m *Movement, k key) (walletcore.Parts, error) {
	original, _ := k.counterpart()
	if !m.Rules.RefundAfterWin && p.rounds.isSettled(k, p.known[original]) {
		return walletcore.Parts{}, refuse(walletcore.RefusedSettled, "the bet's round has its win")
	}
	return p.undoWhole(m, k)
}

// undoWhole gives back exactly what the original took, in its own split. An
// amount, if given, equals it.
func (p *plan) undoWhole(m *Movement, k key) (walletcore.Parts, error) {
	original, _ := k.counterpart()
	receipt := &p.known[original].receipt
	if amount := magnitude(receipt); !m.Amount.IsZero() && m.Amount != amount {
		return walletcore.Parts{}, conflict(m, "amount", amount.String(), m.Amount.String())
	}
	return negative(receipt.Moved()), nil
}

// adjust does what was approved, or nothing: never a part of it.
func adjust(m *Movement, b *balance) (walletcore.Parts, error) {
	_, below, err := Adjusted(b.Parts, m.Change, m.Rules.MayDebt)
	b.debt = below
	return m.Change, err
}

// reverseWin takes the win's own split. What bonus no longer has is taken from
// real; below zero only as a debt that the rules allow.
func (p *plan) reverseWin(m *Movement, k key, b *balance) (walletcore.Parts, error) {
	change, err := p.undoWhole(m, k)
	if err != nil {
		return change, err
	}
	if short := b.Bonus.Add(change.Bonus); short.Sign() < 0 {
		change.Bonus, change.Real = b.Bonus.Neg(), change.Real.Add(short)
	}
	below := b.Real.Add(change.Real).Sign() < 0 && change.Real.Sign() < 0
	if below && !m.Rules.MayDebt {
		return change, noFunds(m, b.Total())
	}
	b.debt = below
	return change, nil
}
