package command

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"golang.org/x/term"

	"github.com/walletctl/walletctl/cmd/walletctl/internal/output"
)

// confirm shows how many letters are meant and asks; anything but yes is no.
// Without a terminal only --yes is one.
func (d *deadCommand) confirm(ctx context.Context, plan []plannedLetter) error {
	fmt.Fprintf(d.f.streams.Err, "%s %d dead letters: %s\n", d.name, len(plan), output.Safe(byQueue(plan)))
	if d.yes {
		return nil
	}
	if !isTerminal(d.f.streams.In) {
		return usagef("add --yes, after a --dry-run", "there is no terminal to ask on")
	}
	fmt.Fprint(d.f.streams.Err, "Type yes to go on: ")
	answer, err := readLine(ctx, d.f.streams.In)
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

func isTerminal(r io.Reader) bool {
	file, ok := r.(interface{ Fd() uintptr })
	return ok && term.IsTerminal(int(file.Fd()))
}

// readLine reads an answer; an interrupt ends the wait for it.
func readLine(ctx context.Context, r io.Reader) (string, error) {
	lines := make(chan string, 1)
	go func() {
		line, _ := bufio.NewReader(r).ReadString('\n')
		lines <- strings.TrimSpace(line)
	}()
	select {
	case line := <-lines:
		return line, nil
	case <-ctx.Done():
		return "", ctx.Err()
	}
}
