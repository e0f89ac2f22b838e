package command

import (
	"context"
	"errors"

	"github.com/walletctl/walletctl/cmd/internal/exit"
	"github.com/walletctl/walletctl/cmd/internal/hint"
	"github.com/walletctl/walletctl/cmd/walletctl/internal/output"
	"github.com/walletctl/walletctl/replay"
)

type replayDocument struct {
	SchemaVersion int             `json:"schema_version"`
	Results       []replay.Result `json:"results"` // of those that were begun
	Done          int             `json:"done"`
	Failed        int             `json:"failed"`
	NotBegun      int             `json:"not_begun"`
}

func replayResult(results []replay.Result, notBegun int) output.Result {
	document := replayDocument{SchemaVersion: 1, Results: []replay.Result{}, NotBegun: notBegun}
	rows := output.Table{Columns: append(output.Columns("id", "type", "outcome", "status", "wallet_id"),
		append(receiptColumns(""), output.Columns("error_class", "error")...)...)}
	text := output.Table{Columns: output.Columns("id", "outcome", "status", ">seq", ">real_before", ">real_after", "error")}
	for i := range results {
		r := &results[i]
		document.Results = append(document.Results, *r)
		if r.OK() {
			document.Done++
		} else if !r.Outcome.Pending() {
			document.Failed++
		}
		wallet, receipt := "", receiptCells(r.Receipt)
		if r.Receipt != nil {
			wallet = r.Receipt.WalletID.String()
		}
		rows.Add(append(append([]string{r.Subject.ID, r.Subject.Type, string(r.Outcome), r.Status, wallet}, receipt...), r.Class, r.Error)...)
		text.Add(r.Subject.ID, string(r.Outcome), r.Status, receipt[0], receipt[1], receipt[2], clipped(replayError(r)))
	}
	return output.Result{JSON: document, CSV: rows, Text: []output.Section{{Table: text}}}
}

// replayError says in words what an outcome alone does not.
func replayError(r *replay.Result) string {
	switch {
	case r.Error != "" && r.Class != "":
		return r.Class + ": " + r.Error
	case r.Error != "":
		return r.Error
	}
	switch r.Outcome {
	case replay.NotDue:
		return "nothing of it waits to be sent"
	case replay.ChargedBack:
		return "the gateway took the money back; a person decides"
	case replay.Unknown:
		return "there is no such thing"
	}
	return ""
}

// replayStatus is the exit code of a run.
func replayStatus(ctx context.Context, err error) error {
	var partial *replay.PartialError
	if !errors.As(err, &partial) {
		return err
	}
	code, try := exit.Failed, "repair the cause that the errors name, and repeat"
	if partial.Done > 0 {
		code = exit.Partly
	}
	if partial.Left > 0 {
		try = "the same command goes on with what is left"
	}
	if ctx.Err() != nil {
		code = exit.Interrupted
	}
	return &statusError{code: code, err: hint.With(tryOncall(err), try)}
}
