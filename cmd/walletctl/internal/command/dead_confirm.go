package command

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/walletctl/walletctl/cmd/walletctl/internal/output"
)

// confirm shows how many letters are meant and asks; anything but yes is no.
// Without a terminal only --yes is one.
func (d *deadCommand) confirm(ctx context.Context, plan []plannedLetter) error {
	fmt.Fprintf(d.f.streams.Err, "%s %d dead letters: %s\n", d.name, len(plan), output.Safe(byQueue(plan)))
	if d.yes {
		return nil
	}
	if !d.f.canAsk() {
		return usagef("add --yes, after a --dry-run", "there is no terminal to ask on")
	}
	fmt.Fprint(d.f.streams.Err, "Type yes to go on: ")
	answer, err := d.f.answer(ctx)
	if err != nil {
		return err
	}
	if answer != "yes" {
		return usagef("type yes, in full", "not confirmed: nothing was done")
	}
	return nil
}

func byQueue(plan []plannedLetter) string {
	counts := map[string]int{}
	for _, p := range plan {
		if p.letter == nil || p.would == "" {
			counts["that nothing will be done about"]++
		} else {
			counts["of "+p.letter.Queue]++
		}
	}
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(counts)) {
		parts = append(parts, fmt.Sprintf("%d %s", counts[name], name))
	}
	return strings.Join(parts, ", ")
}
