package command

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/schollz/progressbar/v3"

	"github.com/walletctl/walletctl/cmd/walletctl/internal/output"
	"github.com/walletctl/walletctl/walletcore/provider/simulator"
)

func simulateResult(r *simulator.Report) output.Result {
	text := []output.Section{{Title: simulateLine(r)}, {Table: simulateFields(r)}, {Table: scenarioTable(r)}}
	if len(r.Findings) > 0 {
		text = append(text, output.Section{Table: simulateFindings(r)})
	}
	if omitted := r.FindingsCount - len(r.Findings); omitted > 0 {
		text = append(text, output.Section{Title: fmt.Sprintf("%d more findings are not listed.", omitted)})
	}
	return output.Result{JSON: r, CSV: simulateRows(r), Text: text}
}

// simulateLine says the result in one sentence.
func simulateLine(r *simulator.Report) string {
	switch {
	case r.FindingsCount > 0:
		return fmt.Sprintf("%d findings in %d rounds", r.FindingsCount, r.Rounds)
	case r.Interrupted:
		return fmt.Sprintf("interrupted: nothing found in %d rounds", r.Rounds)
	}
	return fmt.Sprintf("nothing found in %d rounds", r.Rounds)
}

func simulateFields(r *simulator.Report) output.Table {
	var fields output.Fields
	fields.Add("provider", r.Brand+"/"+r.Provider+", "+r.Dialect)
	fields.Add("run", r.Run+", seed "+strconv.FormatUint(r.Seed, 10))
	fields.Add("players", strconv.Itoa(r.Players))
	fields.Add("rounds skipped", strconv.Itoa(r.Skipped))
	fields.Add("calls", fmt.Sprintf("%d, of them %d cut", r.Calls, r.Cuts))
	fields.Add("retries", fmt.Sprintf("%d, after %s", r.Retries, (time.Duration(r.WaitedMillis)*time.Millisecond).String()))
	fields.Add("answers", answers(r))
	fields.Add("paid in", r.Funded.String()+" "+r.Currency)
	fields.Add("took", (time.Duration(r.DurationMillis) * time.Millisecond).String())
	return fields.Table()
}

func answers(r *simulator.Report) string {
	var parts []string
	for _, s := range r.Statuses {
		parts = append(parts, fmt.Sprintf("%d with %d", s.Answers, s.Status))
	}
	return strings.Join(parts, ", ")
}

func scenarioTable(r *simulator.Report) output.Table {
	table := output.Table{Columns: output.Columns("scenario", ">rounds", ">calls", ">findings")}
	for _, s := range r.Scenarios {
		table.Add(string(s.Scenario), strconv.Itoa(s.Rounds), strconv.Itoa(s.Calls), strconv.Itoa(s.Findings))
	}
	return table
}

// simulateFindings are for people; the bodies stand in CSV and JSON.
func simulateFindings(r *simulator.Report) output.Table {
	table := output.Table{Columns: output.Columns("finding", "scenario", "player", "operation", "ids", "expected", "got")}
	for i := range r.Findings {
		x := &r.Findings[i]
		table.Add(string(x.Kind), string(x.Scenario), x.Player, x.Operation, clipped(strings.Join(x.IDs, " ")), x.Expected, x.Got)
	}
	return table
}

func simulateRows(r *simulator.Report) output.Table {
	table := output.Table{Columns: output.Columns("kind", "scenario", "player", "round", "operation", "ids", "expected", "got", "request")}
	for i := range r.Findings {
		x := &r.Findings[i]
		table.Add(string(x.Kind), string(x.Scenario), x.Player, x.Round, x.Operation, strings.Join(x.IDs, " "), x.Expected, x.Got, x.Request)
	}
	return table
}

// simulateProgress is a bar on stderr, where a person looks at it; else
// nothing.
type simulateProgress struct {
	streams output.Streams
	bar     *progressbar.ProgressBar
}

func (p *simulateProgress) show() func(simulator.Progress) {
	if !p.streams.ErrTerminal {
		return nil
	}
	return func(now simulator.Progress) {
		if p.bar == nil {
			p.bar = newBar(p.streams, int64(now.Total))
		}
		p.bar.Describe(fmt.Sprintf("playing rounds, %d findings", now.Findings))
		_ = p.bar.Set64(int64(now.Rounds)) // a terminal that went away is no reason to stop
	}
}

func (p *simulateProgress) clear() {
	if p.bar != nil {
		_ = p.bar.Clear()
	}
}
