package command

import (
	"github.com/walletctl/walletctl/cmd/walletctl/internal/output"
	"github.com/walletctl/walletctl/replay"
)

type storyDocument struct {
	SchemaVersion int `json:"schema_version"`
	*replay.Story
}

// writeStory writes what is known. What is missing is told in the result, and
// what could not be reached makes it one that is partly done.
func writeStory(f *factory, format *output.Choice, story *replay.Story, err, half error) error {
	if err != nil {
		return tryOncall(err)
	}
	if err := output.Write(f.streams.Out, format.Format, storyResult(story)); err != nil {
		return err
	}
	return half
}

func storyResult(story *replay.Story) output.Result {
	var facts output.Fields
	for _, fact := range story.Facts {
		facts.Add(fact.Name, fact.Value)
	}
	line := output.Table{Columns: output.Columns("at", "where", "what", "detail", "actor", "correlation_id")}
	for _, m := range story.Moments {
		line.Add(instant(m.At), m.Where, m.What, m.Detail, m.Actor, m.CorrelationID)
	}
	result := output.Result{JSON: storyDocument{1, story}, CSV: line}
	if len(story.Facts) > 0 {
		result.Text = append(result.Text, output.Section{Table: facts.Table()})
	}
	result.Text = append(result.Text, output.Section{Table: line})
	for _, missing := range story.Missing {
		result.Text = append(result.Text, output.Section{Title: "could not be read: " + output.Safe(missing)})
	}
	return result
}
