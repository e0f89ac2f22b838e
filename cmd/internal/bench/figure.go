package bench

import (
	"context"
	"fmt"
	"slices"
)

// Measurement is one run of something; it returns the figure in the unit of
// its [Subject].
type Measurement func(context.Context) (float64, error)

// Limit is what a subject is compared with.
type Limit struct {
	Name string
	Run  Measurement
	// Goal is the ratio of ours to the limit that must be reached, or must not
	// be exceeded where less is better; 0 where none is set.
	Goal float64
}

// Subject is something of ours, and what limits it.
type Subject struct {
	Name         string
	Unit         string
	LessIsBetter bool
	Run          Measurement
	Limits       []Limit
}

// Figure is a subject beside one of its limits. Ours and Limit are medians over
// the rounds; Ratio is the median of the rounds' ratios.
type Figure struct {
	Name         string  `json:"name"`
	LimitName    string  `json:"limit_name"`
	Unit         string  `json:"unit"`
	Ours         float64 `json:"ours"`
	Limit        float64 `json:"limit"`
	Ratio        float64 `json:"ratio"`
	Goal         float64 `json:"goal,omitempty"`
	LessIsBetter bool    `json:"less_is_better,omitempty"`
	Rounds       int     `json:"rounds"`
	Spread       float64 `json:"spread"` // greatest ratio less the least, as a part of the median
}

// Verdict says in a word how the figure stands to its goal.
func (f *Figure) Verdict() string {
	switch {
	case f.Goal == 0:
		return ""
	case f.LessIsBetter && f.Ratio <= f.Goal, !f.LessIsBetter && f.Ratio >= f.Goal:
		return "reached"
	}
	return "missed"
}

// Measure runs the subject and its limits in turn, as often as rounds says, and
// returns a figure for each limit.
func (s *Subject) Measure(ctx context.Context, rounds int) ([]Figure, error) {
	names, runs := []string{s.Name}, []Measurement{s.Run}
	for _, limit := range s.Limits {
		names, runs = append(names, limit.Name), append(runs, limit.Run)
	}
	results := make([][]float64, len(runs))
	for round := range rounds {
		for i := range runs {
			turn := (round + i) % len(runs)
			result, err := runs[turn](ctx)
			if err != nil {
				return nil, fmt.Errorf("measure %s: %w", names[turn], err)
			}
			results[turn] = append(results[turn], result)
		}
	}
	figures := make([]Figure, len(s.Limits))
	for i := range s.Limits {
		figures[i] = s.figure(&s.Limits[i], results[0], results[i+1])
	}
	return figures, nil
}

func (s *Subject) figure(limit *Limit, ours, limits []float64) Figure {
	ratios := make([]float64, len(ours))
	for i := range ours {
		ratios[i] = ours[i] / limits[i]
	}
	ratio := median(ratios)
	return Figure{
		Name: s.Name, LimitName: limit.Name, Unit: s.Unit, LessIsBetter: s.LessIsBetter,
		Ours: median(ours), Limit: median(limits), Ratio: ratio, Goal: limit.Goal,
		Rounds: len(ours), Spread: (slices.Max(ratios) - slices.Min(ratios)) / ratio,
	}
}

func median(values []float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	middle := len(sorted) / 2
	if len(sorted)%2 == 1 {
		return sorted[middle]
	}
	return (sorted[middle-1] + sorted[middle]) / 2
}
