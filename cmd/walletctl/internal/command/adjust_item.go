package command

import (
	"strconv"
	"strings"

	"github.com/walletctl/walletctl/adjust"
	"github.com/walletctl/walletctl/cmd/walletctl/internal/output"
)

type adjustmentDocument struct {
	SchemaVersion int               `json:"schema_version"`
	Adjustment    adjust.Adjustment `json:"adjustment"`
}

func adjustmentResult(a *adjust.Adjustment) output.Result {
	return one(adjustmentDocument{SchemaVersion: 1, Adjustment: *a}, adjustmentColumns(), adjustmentRow(a))
}

func adjustmentColumns() []output.Column {
	return output.Columns("id", "state", "brand", "user", "currency", ">amount", "balance", "reason", "ticket", "note",
		">corrects_seq", "case", "allow_debt", "needs_two", "requested_by", "requested_at", "expires_at", "approved_by",
		"approved_at", "wallet_id", ">seq", ">real_before", ">real_after", ">bonus_before", ">bonus_after", "recorded_at")
}

// adjustmentRow has a cell for each of adjustmentColumns.
func adjustmentRow(a *adjust.Adjustment) []string {
	return append([]string{
		a.ID, string(a.State), a.Brand, a.User, a.Currency, a.Amount().String(), a.Balance(), a.Reason, a.Ticket, a.Note,
		seqOrNone(a.CorrectsSeq), a.CaseRef, strconv.FormatBool(a.AllowDebt), strconv.FormatBool(a.NeedsTwo), a.RequestedBy,
		instant(a.RequestedAt), instant(a.ExpiresAt), strings.Join(a.Approvers, " "), instantOrNone(a.ApprovedAt),
		a.WalletID.String(),
	}, adjustmentReceipt(a.Receipt)...)
}

func adjustmentReceipt(r *adjust.Receipt) []string {
	if r == nil {
		return make([]string, 6)
	}
	return []string{
		strconv.FormatInt(r.Seq, 10), r.RealBefore.String(), r.RealAfter.String(), r.BonusBefore.String(), r.BonusAfter.String(),
		instant(r.RecordedAt),
	}
}

func seqOrNone(seq *int64) string {
	if seq == nil {
		return ""
	}
	return strconv.FormatInt(*seq, 10)
}

// stepColumns are those of a step. The prefix tells its own from those of the
// adjustment beside it.
func stepColumns(prefix string) []output.Column {
	columns := output.Columns("step", "at", "actor", "alone", "note", "host", "address", "client")
	for i := range columns[1:] {
		columns[i+1].Name = prefix + columns[i+1].Name
	}
	return columns
}

// stepRow has a cell for each of stepColumns.
func stepRow(s *adjust.Step) []string {
	alone := ""
	if s.Step == "approved" {
		alone = strconv.FormatBool(s.Alone)
	}
	return []string{s.Step, instant(s.At), s.Actor, alone, s.Note, s.Host, s.Address, s.Client}
}

// whole is every step of a record, the posting with them: gaming's, who takes
// it in the ledger.
func whole(r *adjust.Record) []adjust.Step {
	steps := append([]adjust.Step{}, r.Steps...)
	if r.Receipt != nil {
		steps = append(steps, adjust.Step{At: r.Receipt.RecordedAt, Actor: "gaming", Step: "posted"})
	}
	return steps
}
