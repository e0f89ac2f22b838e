package command

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/walletctl/walletctl/cmd/walletctl/internal/output"
	"github.com/walletctl/walletctl/replay"
)

func newCasesCmd(f *factory) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "cases",
		Short: "List what needs a person, show it, claim it, resolve it",
		Long: `List what needs a person, show it, claim it, resolve it. casino and gaming each
keep their own cases; they are shown as one list. A case is named by both:
casino-17, gaming-3.

A case is closed by its subject's own progress, or by a person with a reason.
Nothing is deleted, and your login is kept with each act.`,
	}
	cmd.AddCommand(newCasesListCmd(f), newCasesShowCmd(f), newCasesClaimCmd(f), newCasesReleaseCmd(f),
		newCasesNoteCmd(f), newCasesResolveCmd(f))
	asGroup(cmd)
	return cmd
}

// refsOf reads the names of cases, each once.
func refsOf(given []string) ([]replay.Ref, error) {
	var refs []replay.Ref
	seen := map[replay.Ref]bool{}
	for _, text := range given {
		ref, err := replay.ParseRef(text)
		if err != nil {
			return nil, fmt.Errorf("%q: %w", output.Safe(text), err)
		}
		if !seen[ref] {
			seen[ref] = true
			refs = append(refs, ref)
		}
	}
	return refs, nil
}

// caseArgs are one or more names of cases.
func caseArgs(cmd *cobra.Command, given []string) error {
	if err := cobra.MinimumNArgs(1)(cmd, given); err != nil {
		return err
	}
	_, err := refsOf(given)
	return err
}
