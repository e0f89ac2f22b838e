package simulator

import (
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/walletctl/walletctl/walletcore"
)

// Report is what a run sent and what it found. Its form is a contract of the
// command's JSON.
type Report struct {
	SchemaVersion int    `json:"schema_version"`
	Brand         string `json:"brand"`
	Provider      string `json:"provider"`
	Dialect       string `json:"dialect"`
	Currency      string `json:"currency"`
	Seed          uint64 `json:"seed"`
	Run           string `json:"run"`
	// Interrupted: the run was stopped, and tells what it saw until then.
	Interrupted bool `json:"interrupted"`
	Players     int  `json:"players"`
	Rounds      int  `json:"rounds"` // played, to their end
	// Skipped rounds were left out for want of money.
	Skipped int `json:"skipped"`
	// Calls that were sent, with copies, those that were cut, and look-ups.
	Calls   int `json:"calls"`
	Retries int `json:"retries"` // calls sent again for want of an answer
	Cuts    int `json:"cuts"`    // connections that were cut on purpose
	// WaitedMillis is how long a provider would have waited before its retries,
	// on its own clock.
	WaitedMillis   int64            `json:"waited_ms"`
	DurationMillis int64            `json:"duration_ms"`
	Funded         walletcore.Money `json:"funded"` // paid in by wins without bets
	Scenarios      []ScenarioCount  `json:"scenarios"`
	Statuses       []StatusCount    `json:"statuses"` // answers by HTTP status
	// Findings are the first of FindingsCount, as they came.
	FindingsCount int       `json:"findings_count"`
	Findings      []Finding `json:"findings"`
}

// ScenarioCount counts one scenario. Calls are those of its steps, a copy
// counted as one and a retry not.
type ScenarioCount struct {
	Scenario Scenario `json:"scenario"`
	Rounds   int      `json:"rounds"`
	Calls    int      `json:"calls"`
	Findings int      `json:"findings"`
}

// StatusCount counts answers of one HTTP status.
type StatusCount struct {
	Status  int `json:"status"`
	Answers int `json:"answers"`
}

// gathering gathers the report from all players at once.
type gathering struct {
	mu        sync.Mutex
	report    Report
	scenarios map[Scenario]*ScenarioCount
	statuses  map[int]int
	most      int // findings to list
	progress  func(Progress)
	total     int // rounds
	done      int // rounds played or left out
}

func (g *gathering) change(do func(r *Report)) {
	g.mu.Lock()
	defer g.mu.Unlock()
	do(&g.report)
}

func (g *gathering) call()   { g.change(func(r *Report) { r.Calls++ }) }
func (g *gathering) cutOff() { g.change(func(r *Report) { r.Cuts++ }) }

func (g *gathering) retried(wait time.Duration) {
	g.change(func(r *Report) { r.Retries, r.WaitedMillis = r.Retries+1, r.WaitedMillis+wait.Milliseconds() })
}

func (g *gathering) answered(status int) { g.change(func(*Report) { g.statuses[status]++ }) }

func (g *gathering) funded(amount walletcore.Money) {
	g.change(func(r *Report) { r.Funded = r.Funded.Add(amount) })
}

func (g *gathering) sent(s Scenario, calls int) {
	g.change(func(*Report) { g.scenario(s).Calls += calls })
}

func (g *gathering) find(f Finding) {
	g.change(func(r *Report) {
		r.FindingsCount++
		g.scenario(f.Scenario).Findings++
		if len(r.Findings) < g.most {
			r.Findings = append(r.Findings, f)
		}
	})
}

// played counts a round of the plan.
func (g *gathering) played(s Scenario, skipped bool) {
	g.change(func(r *Report) {
		g.done++
		if skipped {
			r.Skipped++
		} else {
			r.Rounds++
			g.scenario(s).Rounds++
		}
		if g.progress != nil {
			g.progress(Progress{Rounds: g.done, Total: g.total, Findings: r.FindingsCount})
		}
	})
}

func (g *gathering) scenario(s Scenario) *ScenarioCount {
	if g.scenarios[s] == nil {
		g.scenarios[s] = &ScenarioCount{Scenario: s}
	}
	return g.scenarios[s]
}

// close returns the report with its counts in a lasting order.
func (g *gathering) close() Report {
	g.mu.Lock()
	defer g.mu.Unlock()
	r := g.report
	for _, count := range g.scenarios {
		r.Scenarios = append(r.Scenarios, *count)
	}
	slices.SortFunc(r.Scenarios, func(a, b ScenarioCount) int { return strings.Compare(string(a.Scenario), string(b.Scenario)) })
	for status, n := range g.statuses {
		r.Statuses = append(r.Statuses, StatusCount{status, n})
	}
	slices.SortFunc(r.Statuses, func(a, b StatusCount) int { return a.Status - b.Status })
	return r
}
