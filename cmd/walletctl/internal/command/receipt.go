package command

import (
	"strconv"

	"github.com/walletctl/walletctl/cmd/walletctl/internal/output"
	"github.com/walletctl/walletctl/walletcore"
)

// receiptColumns are those of a receipt in the wallet that its payment names.
// The prefix tells apart the receipts of one payment.
func receiptColumns(prefix string) []output.Column {
	columns := output.Columns(">seq", ">real_before", ">real_after", "recorded_at")
	for i := range columns {
		columns[i].Name = prefix + columns[i].Name
	}
	return columns
}

// receiptCells has a cell for each of receiptColumns, empty where there is no
// receipt.
func receiptCells(r *walletcore.Receipt) []string {
	if r == nil {
		return []string{"", "", "", ""}
	}
	return []string{strconv.FormatInt(r.Seq, 10), r.RealBefore.String(), r.RealAfter.String(), instant(r.RecordedAt)}
}
