package command

import (
	"strconv"
	"time"

	"github.com/walletctl/walletctl/cmd/walletctl/internal/output"
	"github.com/walletctl/walletctl/walletcore/job"
)

// eventItem is a line of a payment's history in JSON.
type eventItem struct {
	At         time.Time      `json:"at"`
	Kind       string         `json:"kind"`
	From       string         `json:"from,omitempty"` // a status
	To         string         `json:"to,omitempty"`   // a status
	Attempt    int            `json:"attempt,omitempty"`
	ErrorClass job.ErrorClass `json:"error_class,omitempty"`
	Detail     string         `json:"detail,omitempty"`
	MessageID  string         `json:"message_id,omitempty"`
}

// historyOf is a payment's history for people.
func historyOf(events []eventItem) output.Section {
	table := output.Table{Columns: output.Columns("at", "event", "from", "to", ">attempt", "detail", "message_id")}
	for i := range events {
		e := &events[i]
		table.Add(instant(e.At), e.Kind, e.From, e.To, countOrNone(e.Attempt), e.detail(), e.MessageID)
	}
	return output.Section{Table: table}
}

func (e *eventItem) detail() string {
	if e.ErrorClass == "" {
		return e.Detail
	}
	return string(e.ErrorClass) + ": " + e.Detail
}

// countOrNone leaves zero out.
func countOrNone(n int) string {
	if n == 0 {
		return ""
	}
	return strconv.Itoa(n)
}
