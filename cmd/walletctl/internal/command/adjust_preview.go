package command

import (
	"fmt"
	"strconv"

	"github.com/walletctl/walletctl/adjust"
	"github.com/walletctl/walletctl/cmd/walletctl/internal/output"
	"github.com/walletctl/walletctl/walletcore"
)

type previewDocument struct {
	SchemaVersion int         `json:"schema_version"`
	Preview       previewItem `json:"preview"`
}

// previewItem is a preview in JSON.
type previewItem struct {
	WalletID    string           `json:"wallet_id"`
	Brand       string           `json:"brand"`
	User        string           `json:"user"`
	Currency    string           `json:"currency"`
	Balance     string           `json:"balance"` // real or bonus
	Amount      walletcore.Money `json:"amount"`  // signed
	RealBefore  walletcore.Money `json:"real_before"`
	RealAfter   walletcore.Money `json:"real_after"`
	BonusBefore walletcore.Money `json:"bonus_before"`
	BonusAfter  walletcore.Money `json:"bonus_after"`
	DebtBefore  walletcore.Money `json:"debt_before"`
	DebtAfter   walletcore.Money `json:"debt_after"`
	Refusal     string           `json:"refusal,omitempty"`
	Approvals   int              `json:"approvals"` // that it needs in all, or still needs
	Frozen      bool             `json:"frozen"`
	OpenRounds  int              `json:"open_rounds"`
	OpenStakes  walletcore.Money `json:"open_stakes"`
	Rounds      []adjust.Round   `json:"rounds"` // the newest of them
	Corrects    string           `json:"corrects,omitempty"`
	Others      []string         `json:"others"` // adjustments of the same entry
}

func previewOf(change walletcore.Parts, p adjust.Preview) previewItem {
	item := previewItem{
		WalletID: p.WalletID.String(), Brand: p.Wallet.Brand, User: p.Wallet.User, Currency: p.Wallet.Currency,
		Balance: "real", Amount: change.Total(), RealBefore: p.Before.Real, RealAfter: p.After.Real,
		BonusBefore: p.Before.Bonus, BonusAfter: p.After.Bonus, DebtBefore: adjust.Debt(p.Before), DebtAfter: adjust.Debt(p.After),
		Refusal: p.Refusal, Approvals: 1, Frozen: p.Frozen, OpenRounds: p.Rounds.Count, OpenStakes: p.Rounds.Stakes,
		Rounds: append([]adjust.Round{}, p.Rounds.Newest...), Others: []string{},
	}
	if !change.Bonus.IsZero() {
		item.Balance = "bonus"
	}
	if p.NeedsTwo {
		item.Approvals = 2
	}
	if p.Entry != nil {
		item.Corrects = entryText(p.Entry)
	}
	for i := range p.Others {
		item.Others = append(item.Others, p.Others[i].ID)
	}
	return item
}

func entryText(e *walletcore.Entry) string {
	text := fmt.Sprintf("entry %d: %s %s", e.Seq, e.Kind, e.ExternalID)
	for _, part := range []struct {
		name  string
		moved walletcore.Money
	}{{"real", e.Real()}, {"bonus", e.Bonus()}} {
		if !part.moved.IsZero() {
			text += fmt.Sprintf(", %s %s", part.name, part.moved)
		}
	}
	return text
}

// showAbove shows what a question or an error comes below of.
func showAbove(f *factory, preview output.Result) error {
	err := output.Write(f.streams.Err, output.FormatTable, preview)
	fmt.Fprintln(f.streams.Err)
	return err
}

// requestPreview is for whoever asks.
func requestPreview(r adjust.Request, p adjust.Preview) output.Result {
	item := previewOf(r.Change(), p)
	needs := "one supervisor, within their own limits"
	if p.NeedsTwo {
		needs = "two supervisors: it is above your limits"
	}
	return previewResult(item, "would change", p, needs)
}

// approvalPreview is for whoever approves.
func approvalPreview(a *adjust.Adjustment, p adjust.Preview) output.Result {
	item := previewOf(a.Change(), p)
	needs := "yours, and gaming posts it"
	if p.NeedsTwo {
		needs = "yours and another's: it is above your limits, or its requester's"
	}
	return previewResult(item, "asks to change", p, needs)
}

func previewResult(item previewItem, verb string, p adjust.Preview, needs string) output.Result {
	row := []string{
		item.WalletID, item.Brand, item.User, item.Currency, item.Balance, item.Amount.String(), item.RealBefore.String(),
		item.RealAfter.String(), item.BonusBefore.String(), item.BonusAfter.String(), item.DebtBefore.String(),
		item.DebtAfter.String(), item.Refusal, strconv.Itoa(item.Approvals), strconv.FormatBool(item.Frozen),
		strconv.Itoa(item.OpenRounds), item.OpenStakes.String(),
	}
	columns := output.Columns("wallet_id", "brand", "user", "currency", "balance", ">amount", ">real_before", ">real_after",
		">bonus_before", ">bonus_after", ">debt_before", ">debt_after", "refusal", ">approvals", "frozen", ">open_rounds", ">open_stakes")
	title := fmt.Sprintf("%s %s by %s of %s", verb, p.Wallet, signed(item.Amount, item.Currency), item.Balance)
	result := output.Result{
		JSON: previewDocument{SchemaVersion: 1, Preview: item},
		CSV:  output.Table{Columns: columns, Rows: [][]string{row}},
		Text: []output.Section{{Title: output.Safe(title) + "\n", Table: balances(item)}, {Table: remarks(item, p, needs)}},
	}
	if len(item.Rounds) > 0 {
		result.Text = append(result.Text, roundsSection(item))
	}
	return result
}

func balances(item previewItem) output.Table {
	table := output.Table{Columns: output.Columns("balance", ">before", ">after")}
	table.Add("real", item.RealBefore.String(), item.RealAfter.String())
	table.Add("bonus", item.BonusBefore.String(), item.BonusAfter.String())
	if !item.DebtBefore.IsZero() || !item.DebtAfter.IsZero() {
		table.Add("debt", item.DebtBefore.String(), item.DebtAfter.String())
	}
	return table
}

func remarks(item previewItem, p adjust.Preview, needs string) output.Table {
	var fields output.Fields
	if item.Refusal != "" {
		fields.Add("WOULD BE REFUSED", item.Refusal)
	}
	fields.Add("needs", needs)
	fields.Add("corrects", item.Corrects)
	for i := range p.Others {
		other := &p.Others[i]
		fields.Add("CORRECTED BEFORE", fmt.Sprintf("%s, %s, %s", other.ID, other.State, signed(other.Amount(), other.Currency)))
	}
	if item.Frozen {
		fields.Add("frozen", "bets and withdrawals are refused; this is not")
	}
	fields.Add("open rounds", fmt.Sprintf("%d, with %s at stake", item.OpenRounds, item.OpenStakes))
	return fields.Table()
}

func roundsSection(item previewItem) output.Section {
	table := output.Table{Columns: output.Columns("open_round", ">bets", ">stakes", "last_bet_at")}
	for _, r := range item.Rounds {
		table.Add(r.ID, strconv.Itoa(r.Bets), r.Stakes.String(), instant(r.LastAt))
	}
	return output.Section{Table: table}
}
