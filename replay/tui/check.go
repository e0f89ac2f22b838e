package tui

import (
	"context"
	"errors"
	"strings"

	"github.com/walletctl/walletctl/replay"
)

// doubtError says that a check could not tell. It is no error of the desk.
type doubtError struct{}

func (*doubtError) Error() string { return "cannot tell" }

// check reads an item's story again and says what gaming's ledger has of it.
func check(ctx context.Context, desk Desk, item replay.Item) (string, error) {
	story, err := desk.Explain(ctx, whole(item.Subject))
	if errors.Is(err, replay.ErrNotFound) {
		return "casino knows of no such thing", &doubtError{}
	}
	if err != nil {
		return "", err
	}
	return verdict(&story)
}

// verdict says what gaming's ledger has. Where a part of the story is missing,
// nothing is concluded from its silence.
func verdict(story *replay.Story) (string, error) {
	var entries []string
	credited := false
	for _, moment := range story.Moments {
		if moment.Where == "gaming" {
			entries = append(entries, moment.What+" at "+instant(moment.At)+", "+moment.Detail)
			credited = credited || moment.What == "entry: deposit"
		}
	}
	if len(entries) == 0 && len(story.Missing) > 0 {
		return "cannot tell: " + strings.Join(strings.Fields(strings.Join(story.Missing, "; ")), " "), &doubtError{}
	}
	found := "the ledger has no entry of it"
	if len(entries) > 0 {
		found = "the ledger has " + strings.Join(entries, "; ")
	}
	switch {
	case credited:
		return "CREDITED: " + found, nil
	case story.Subject.Type == replay.Deposit:
		return "not credited: " + found, nil
	}
	return found, nil
}

// whole is what a story is told of: an effect's is its deposit's.
func whole(s replay.Subject) replay.Subject {
	if s.Type != replay.Effect {
		return s
	}
	id, _, _ := strings.Cut(s.ID, "/")
	return replay.Subject{Type: replay.Deposit, ID: id}
}
