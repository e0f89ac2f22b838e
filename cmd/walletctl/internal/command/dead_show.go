package command

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"github.com/walletctl/walletctl/cmd/internal/hint"
	"github.com/walletctl/walletctl/cmd/walletctl/internal/output"
	"github.com/walletctl/walletctl/replay"
)

// shownBody is how much of a body a text shows, in bytes.
const shownBody = 64 << 10

func newDeadShowCmd(f *factory) *cobra.Command {
	format := output.NewChoice()
	cmd := &cobra.Command{
		Use:     "show REF",
		Short:   "Show a dead letter, its headers, its body and who acted on it",
		Example: "  walletctl dead show casino-12",
		Args:    args(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, given []string) error {
			refs, err := deadRefs(given)
			if err != nil {
				return err
			}
			desk, done, err := f.deadDesk(cmd.Context())
			if err != nil {
				return err
			}
			defer done()
			letter, err := desk.DeadLetter(cmd.Context(), refs[0])
			if errors.Is(err, replay.ErrNotFound) {
				return hint.With(fmt.Errorf("%s: there is no such dead letter", refs[0]), "walletctl dead list --state all")
			}
			if err != nil {
				return err
			}
			return output.Write(f.streams.Out, format.Format, deadLetterResult(&letter))
		},
	}
	addOutput(cmd, format)
	return cmd
}

type deadLetterDocument struct {
	SchemaVersion int            `json:"schema_version"`
	DeadLetter    deadLetterItem `json:"dead_letter"`
}

// deadLetterItem is a letter with all that is kept of it.
type deadLetterItem struct {
	*replay.DeadLetter
	Headers json.RawMessage `json:"headers"`
	Body    string          `json:"body"`
	// BodyEncoding is text where the body is UTF-8, else base64.
	BodyEncoding string             `json:"body_encoding"`
	Events       []replay.DeadEvent `json:"events"`
}

func deadLetterResult(l *replay.DeadLetter) output.Result {
	item := deadLetterItem{DeadLetter: l, Headers: l.Headers, Body: string(l.Body), BodyEncoding: "text", Events: l.Events}
	if !utf8.Valid(l.Body) {
		item.Body, item.BodyEncoding = base64.StdEncoding.EncodeToString(l.Body), "base64"
	}
	if item.Events == nil {
		item.Events = []replay.DeadEvent{}
	}
	result := one(deadLetterDocument{SchemaVersion: 1, DeadLetter: item}, deadColumns(), deadRow(l))
	result.Text = append(result.Text,
		output.Section{Table: deadHeaders(l.Headers)},
		output.Section{Title: deadBody(l)},
		output.Section{Table: deadHistory(l.Events)})
	return result
}

// deadHeaders shows each header as JSON, so that a number and a text differ.
func deadHeaders(headers json.RawMessage) output.Table {
	table := output.Table{Columns: output.Columns("header", "value")}
	var all map[string]json.RawMessage
	if err := json.Unmarshal(headers, &all); err != nil {
		table.Add("", string(headers))
	}
	for _, name := range slices.Sorted(maps.Keys(all)) {
		table.Add(name, string(all[name]))
	}
	return table
}

// deadBody shows a text line by line, made safe, and anything else as bytes.
func deadBody(l *replay.DeadLetter) string {
	body := l.Body[:min(len(l.Body), shownBody)]
	title := fmt.Sprintf("body, %d bytes", l.BodySize)
	if len(body) < int(l.BodySize) {
		title += fmt.Sprintf(", of which these are the first %d", len(body))
	}
	var text strings.Builder
	text.WriteString(title + ":")
	if !utf8.Valid(l.Body) {
		text.WriteString("\n" + strings.TrimRight(hex.Dump(body), "\n"))
		return text.String()
	}
	for line := range strings.Lines(string(body)) {
		text.WriteString("\n" + output.Safe(strings.TrimRight(line, "\n")))
	}
	return text.String()
}

func deadHistory(events []replay.DeadEvent) output.Table {
	table := output.Table{Columns: output.Columns("at", "actor", "state", "note")}
	for _, e := range events {
		table.Add(instant(e.At), e.Actor, string(e.State), e.Note)
	}
	return table
}
