package replay

import (
	"context"
	"errors"
	"strconv"
	"time"

	"github.com/walletctl/walletctl/walletcore"
	"github.com/walletctl/walletctl/walletcore/deposit"
	"github.com/walletctl/walletctl/walletcore/withdrawal"
)

func (d *Desk) depositFacts(ctx context.Context, id string) ([]Fact, error) {
	found, err := (&deposit.Store{Pool: d.Casino}).Find(ctx, id)
	if errors.Is(err, deposit.ErrNotFound) {
		return []Fact{}, ErrNotFound
	}
	if err != nil {
		return nil, err
	}
	facts := []Fact{
		{"deposit", found.ID},
		{"status", string(found.Status)},
		{"amount", found.Amount.String() + " " + found.Currency},
		{"brand", found.Brand},
		{"user", found.User},
		{"wallet", found.Wallet().ID().String()},
		{"gateway", found.Gateway + "/" + found.Account},
		{"created", instant(&found.CreatedAt)},
		{"confirmed", instant(found.ConfirmedAt)},
		{"credited", instant(found.CreditedAt)},
		{"charged back", instant(found.ChargedBackAt)},
		{"correlation id", found.CorrelationID},
	}
	return stated(append(append(facts, attemptFacts(found.Attempts, string(found.LastErrorClass), found.LastError,
		found.NextAttemptAt)...), receiptFacts("receipt", found.Receipt)...)), nil
}

func (d *Desk) withdrawalFacts(ctx context.Context, id string) ([]Fact, error) {
	store := &withdrawal.Store{Pool: d.Casino}
	w, err := store.Find(ctx, id)
	if errors.Is(err, withdrawal.ErrNotFound) {
		return []Fact{}, ErrNotFound
	}
	if err != nil {
		return nil, err
	}
	payout, err := store.PaidBy(ctx, id)
	if err != nil {
		return nil, err
	}
	facts := []Fact{
		{"withdrawal", w.ID},
		{"status", string(w.Status)},
		{"reason", w.Reason},
		{"amount", w.Amount.String() + " " + w.Currency},
		{"brand", w.Brand},
		{"user", w.User},
		{"wallet", w.Wallet().ID().String()},
		{"gateway", w.Gateway + "/" + w.Account},
		{"requested", instant(&w.CreatedAt)},
		{"debited", instant(w.DebitedAt)},
		{"payout asked for", instant(w.PayoutRequestedAt)},
		{"payout", payout},
		{"paid", instant(w.PaidAt)},
		{"rejected", instant(w.RejectedAt)},
		{"reversed", instant(w.ReversedAt)},
		{"correlation id", w.CorrelationID},
	}
	facts = append(facts, attemptFacts(w.Attempts, string(w.LastErrorClass), w.LastError, w.NextAttemptAt)...)
	facts = append(facts, receiptFacts("receipt", w.Receipt)...)
	return stated(append(facts, receiptFacts("given back", w.Reversal)...)), nil
}

func attemptFacts(attempts int, class, lastError string, next *time.Time) []Fact {
	if lastError != "" {
		lastError = class + ": " + lastError
	}
	return []Fact{{"attempts", strconv.Itoa(attempts)}, {"last error", lastError}, {"next attempt", instant(next)}}
}

func receiptFacts(name string, r *walletcore.Receipt) []Fact {
	if r == nil {
		return nil
	}
	return []Fact{{name, "seq " + strconv.FormatInt(r.Seq, 10) + ", real " + r.RealBefore.String() + " -> " +
		r.RealAfter.String() + ", " + r.RecordedAt.Format(time.RFC3339)}}
}

// stated leaves out what is empty.
func stated(facts []Fact) []Fact {
	kept := facts[:0]
	for _, f := range facts {
		if f.Value != "" {
			kept = append(kept, f)
		}
	}
	return kept
}

func instant(t *time.Time) string {
	if t == nil {
		return ""
	}
	return t.UTC().Format(time.RFC3339)
}
