package adjust

import (
	"context"
	"errors"
	"fmt"

	"github.com/google/uuid"

	"github.com/walletctl/walletctl/walletcore"
	"github.com/walletctl/walletctl/walletcore/ledger"
)

// Preview is what an adjustment would do if it was posted now. Nothing is
// written to tell it.
type Preview struct {
	Wallet   walletcore.WalletKey
	WalletID uuid.UUID
	Frozen   bool // bets and withdrawals are refused already; the adjustment is not
	Before   walletcore.Parts
	After    walletcore.Parts // also where it would be refused: what it would have to be
	// Refusal is why gaming would refuse it, empty where it would not.
	Refusal string
	Rounds  OpenRounds
	// NeedsTwo says that one approval would not do: for a request, because it is
	// above its requester's limits; for an approver, above theirs as well.
	NeedsTwo bool
	// Entry is what it corrects, nil where it names none.
	Entry *walletcore.Entry
	// Others are the adjustments of the same entry that are posted or may yet be:
	// it may be corrected already.
	Others []Adjustment
}

// Debt is how far a balance is below zero.
func Debt(balance walletcore.Parts) walletcore.Money {
	if balance.Real.Sign() < 0 {
		return balance.Real.Neg()
	}
	return walletcore.Money{}
}

// Preview tells what a request would do. The error is a *walletcore.FieldError
// or ErrNotFound.
func (d *Desk) Preview(ctx context.Context, r Request) (Preview, error) {
	if err := r.Validate(); err != nil {
		return Preview{}, err
	}
	p, err := d.preview(ctx, r.ID, r.Wallet, r.Change(), r.AllowDebt, r.CorrectsSeq)
	if err != nil {
		return p, err
	}
	p.NeedsTwo, err = d.above(ctx, "request", p.Wallet.Currency, r.Change(), r.AllowDebt)
	return p, err
}

// PreviewApproval tells what an adjustment would do, and whether this login's
// approval would be enough.
func (d *Desk) PreviewApproval(ctx context.Context, a Adjustment) (Preview, error) {
	p, err := d.preview(ctx, a.ID, a.WalletID, a.Change(), a.AllowDebt, a.CorrectsSeq)
	if err != nil {
		return p, err
	}
	above, err := d.above(ctx, "approve", a.Currency, a.Change(), a.AllowDebt)
	p.NeedsTwo = (above || a.NeedsTwo) && len(a.Approvers) == 0
	return p, err
}

func (d *Desk) preview(ctx context.Context, id string, wallet uuid.UUID, change walletcore.Parts, debt bool, corrects *int64) (Preview, error) {
	reader := ledger.NewReader(d.Pool)
	w, err := reader.Wallet(ctx, wallet)
	if errors.Is(err, ledger.ErrNoWallet) {
		return Preview{}, ErrNotFound
	}
	if err != nil {
		return Preview{}, err
	}
	p := Preview{Wallet: w.Key, WalletID: w.ID, Frozen: w.Frozen, Before: walletcore.Parts{Real: w.Real, Bonus: w.Bonus}}
	p.After, _, err = ledger.Adjusted(p.Before, change, debt)
	var refused *walletcore.RefusedError
	if errors.As(err, &refused) {
		p.Refusal = string(refused.Code) + ": " + refused.Detail
	}
	if p.Rounds, err = d.openRounds(ctx, wallet); err != nil || corrects == nil {
		return p, err
	}
	if p.Entry, err = d.Entry(ctx, wallet, *corrects); err != nil {
		return p, err
	}
	p.Others, err = d.others(ctx, wallet, *corrects, id)
	return p, err
}

// Entry returns one entry of a wallet. The error is a *walletcore.FieldError
// where there is none.
func (d *Desk) Entry(ctx context.Context, wallet uuid.UUID, seq int64) (*walletcore.Entry, error) {
	next := seq + 1
	page, err := ledger.NewReader(d.Pool).History(ctx, wallet, ledger.HistoryOptions{BeforeSeq: &next, Limit: 1})
	switch {
	case err != nil:
		return nil, err
	case len(page) == 0 || page[0].Seq != seq:
		return nil, &walletcore.FieldError{Field: "entry", Reason: fmt.Sprintf("is not there: the wallet has no entry %d", seq)}
	}
	return &page[0], nil
}

// others finds what corrects the same entry and was not given up.
func (d *Desk) others(ctx context.Context, wallet uuid.UUID, seq int64, id string) ([]Adjustment, error) {
	const ofEntry = selectAdjustment + `
where a.wallet_id = $1 and a.corrects_seq = $2 and a.id <> $3 and s.state in ('requested', 'approved', 'posted')
order by a.requested_at, a.id`
	return query(ctx, d.Pool, ofEntry, wallet, seq, id)
}

// above reports whether an amount is above the login's own limits. Who may not
// act at all is told so by acting.
func (d *Desk) above(ctx context.Context, act, currency string, change walletcore.Parts, debt bool) (bool, error) {
	var within bool
	err := d.Pool.QueryRow(ctx, `select gaming.within_limits($1, $2, $3, $4)`, act, currency, change.Total(), debt).Scan(&within)
	return !within, actError("read limits", err)
}
