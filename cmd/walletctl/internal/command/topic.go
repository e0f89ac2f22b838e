package command

import (
	"bytes"
	"embed"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/walletctl/walletctl/cmd/walletctl/internal/output"
)

//go:embed topics/*.txt
var topicFiles embed.FS

// topics are the pages of help that belong to no command.
var topics = []string{"environment", "exit-codes", "output"}

func newHelpCmd(f *factory) *cobra.Command {
	return &cobra.Command{
		Use:   "help [TOPIC | COMMAND...]",
		Short: "Explain a command, or a topic: " + strings.Join(topics, ", "),
		ValidArgsFunction: func(cmd *cobra.Command, given []string, _ string) ([]string, cobra.ShellCompDirective) {
			return helpable(cmd.Root(), given), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(cmd *cobra.Command, given []string) error {
			text, err := helpText(cmd.Root(), given)
			if err != nil {
				return err
			}
			return output.WriteText(f.streams.Out, text)
		},
	}
}

func helpText(root *cobra.Command, given []string) ([]byte, error) {
	if len(given) == 1 && slices.Contains(topics, given[0]) {
		return topicFiles.ReadFile("topics/" + given[0] + ".txt")
	}
	cmd, rest, err := root.Find(given)
	if err != nil || len(rest) > 0 {
		return nil, usagef("walletctl help, or a topic: "+strings.Join(topics, ", "), "there is no help on %q", strings.Join(given, " "))
	}
	var text bytes.Buffer
	cmd.SetOut(&text)
	cmd.InitDefaultHelpFlag()
	err = cmd.Help()
	return text.Bytes(), err
}

// helpable lists what may follow the words given so far.
func helpable(root *cobra.Command, given []string) []string {
	cmd, rest, err := root.Find(given)
	if err != nil || len(rest) > 0 {
		return nil
	}
	var names []string
	if cmd == root {
		names = slices.Clone(topics)
	}
	for _, sub := range cmd.Commands() {
		if sub.IsAvailableCommand() {
			names = append(names, sub.Name()+"\t"+sub.Short)
		}
	}
	return names
}
