package tui

import (
	"context"
	"errors"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/walletctl/walletctl/replay"
)

// actPatience bounds one call of an act on one case.
const actPatience = 15 * time.Second

// each does a small act on one case after another. What fails is told, and the
// next is done all the same: a case that is with somebody else says nothing
// about the others.
func (m *model) each(v verb, items []replay.Item, act func(context.Context, replay.Item) (string, error)) tea.Cmd {
	now := m.opts.Now
	return m.start(v, len(items), func(ctx context.Context, tell func(outcome)) error {
		for _, item := range items {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			// What was begun is not cut off by the wish to stop.
			limit, cancel := context.WithTimeout(context.WithoutCancel(ctx), actPatience)
			text, err := act(limit, item)
			cancel()
			o := outcome{at: now(), ref: item.Case, id: safe(item.Subject.ID), verb: v, good: err == nil, text: safe(text)}
			var doubt *doubtError
			switch {
			case errors.As(err, &doubt):
				o.text = safe(text)
			case err != nil:
				o.text = oneLine(err.Error())
			}
			tell(o)
		}
		return nil
	})
}

// replay sends items again, each subject once.
func (m *model) replay(items []replay.Item) tea.Cmd {
	desk, now := m.opts.Desk, m.opts.Now
	cases := map[replay.Subject][]replay.Item{}
	opts := replay.RunOptions{Why: "from the screen", Rate: m.opts.Rate}
	for _, item := range items {
		if cases[item.Subject] == nil {
			opts.Subjects = append(opts.Subjects, item.Subject)
		}
		cases[item.Subject] = append(cases[item.Subject], item)
	}
	return m.start(verbReplay, len(items), func(ctx context.Context, tell func(outcome)) error {
		opts.Progress = func(r replay.Result, _, _ int) {
			for _, item := range cases[r.Subject] {
				tell(outcome{
					at: now(), ref: item.Case, id: safe(item.Subject.ID), verb: verbReplay, good: r.OK(), text: resultText(&r),
				})
			}
		}
		_, err := desk.Run(ctx, opts)
		return err
	})
}

// resultText says what came of a replay.
func resultText(r *replay.Result) string {
	switch r.Outcome {
	case replay.Done:
		return "done" + receiptText(r)
	case replay.Failed:
		return "failed again: " + oneLine(r.Class+": "+r.Error)
	case replay.TimedOut, replay.Queued, replay.Running:
		return "still at work; look again later"
	case replay.Lost:
		return "its job was gone; casino gives it a new one within a minute"
	case replay.NotDue:
		return "nothing waits to be sent: it is " + safe(r.Status)
	case replay.ChargedBack:
		return "refused: the gateway took the money back"
	case replay.Unknown:
		return "refused: there is no such thing"
	}
	return safe(string(r.Outcome))
}

func receiptText(r *replay.Result) string {
	if r.Receipt == nil {
		return ""
	}
	text := ": receipt seq " + count(int(r.Receipt.Seq)) + ", real " + r.Receipt.RealBefore.String() + " -> " + r.Receipt.RealAfter.String()
	if mark := string(r.Receipt.Mark); mark != "" {
		text += " (" + safe(mark) + ")"
	}
	return text
}
