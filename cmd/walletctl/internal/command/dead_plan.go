package command

import (
	"context"
	"errors"

	"github.com/walletctl/walletctl/cmd/walletctl/internal/output"
	"github.com/walletctl/walletctl/replay"
	"github.com/walletctl/walletctl/walletcore/deadletter"
)

// plannedLetter is one letter of a command line, and what would become of it.
type plannedLetter struct {
	ref     replay.Ref
	letter  *replay.DeadLetter // nil where there is none
	would   string             // what would be done
	because string             // why nothing would be
}

// plan finds the letters that a command line names or selects.
func (d *deadCommand) plan(ctx context.Context, desk *replay.Desk, refs []replay.Ref, filter replay.DeadFilter) ([]plannedLetter, error) {
	if d.all {
		filter.State = string(deadletter.Kept)
		letters, err := desk.Dead(ctx, filter)
		if err != nil {
			return nil, err
		}
		plan := make([]plannedLetter, len(letters))
		for i := range letters {
			plan[i] = d.would(letters[i].Ref, &letters[i])
		}
		return plan, nil
	}
	plan := make([]plannedLetter, len(refs))
	for i, ref := range refs {
		letter, err := desk.DeadLetter(ctx, ref)
		switch {
		case errors.Is(err, replay.ErrNotFound):
			plan[i] = plannedLetter{ref: ref, because: "there is no such dead letter"}
		case err != nil:
			return nil, err
		default:
			plan[i] = d.would(ref, &letter)
		}
	}
	return plan, nil
}

// would says what the database would do, which has the last word.
func (d *deadCommand) would(ref replay.Ref, l *replay.DeadLetter) plannedLetter {
	p := plannedLetter{ref: ref, letter: l}
	switch {
	case l.State != deadletter.Kept:
		p.because = "it was " + string(l.State) + " by " + l.HandledBy + " at " + instantOrNone(l.HandledAt)
	case d.discard:
		p.would = "discard"
	case ref.Schema == "gaming":
		p.because = "it is a call: replay the deposit or the withdrawal instead"
	case l.Cut:
		p.because = "only a part of it is kept"
	default:
		p.would = "send to " + l.Queue
	}
	return p
}

type planDocument struct {
	SchemaVersion int        `json:"schema_version"`
	DryRun        []planItem `json:"dry_run"`
}

type planItem struct {
	Ref       replay.Ref `json:"ref"`
	Queue     string     `json:"queue"`
	MessageID string     `json:"message_id"`
	Would     string     `json:"would"`
	Because   string     `json:"because"`
}

func planResult(plan []plannedLetter) output.Result {
	document := planDocument{SchemaVersion: 1, DryRun: []planItem{}}
	rows := output.Table{Columns: output.Columns("ref", "queue", "message_id", "would", "because")}
	for _, p := range plan {
		item := planItem{Ref: p.ref, Would: p.would, Because: p.because}
		if p.letter != nil {
			item.Queue, item.MessageID = p.letter.Queue, p.letter.MessageID
		}
		if item.Would == "" {
			item.Would = "nothing"
		}
		document.DryRun = append(document.DryRun, item)
		rows.Add(p.ref.String(), item.Queue, item.MessageID, item.Would, item.Because)
	}
	return output.Result{JSON: document, CSV: rows}
}

type actedDocument struct {
	SchemaVersion int                 `json:"schema_version"`
	Results       []replay.DeadResult `json:"results"`
}

func actedResult(results []replay.DeadResult) output.Result {
	document := actedDocument{SchemaVersion: 1, Results: append([]replay.DeadResult{}, results...)}
	rows := output.Table{Columns: output.Columns("ref", "outcome", "state", "error")}
	for _, r := range results {
		rows.Add(r.Ref.String(), string(r.Outcome), string(r.State), r.Error)
	}
	return output.Result{JSON: document, CSV: rows}
}
