package bench_test

import (
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/cmd/internal/bench"
)

// wallets is how many wallets the movements of a run are spread over, ours and
// pgbench's.
const wallets = 10_000

// settings come from the environment; deploy/bench documents them.
type settings struct {
	rounds  int
	seconds time.Duration
	entries int
	only    *regexp.Regexp
	out     string // no files are written where it is empty
}

// TestBench measures; `make bench` runs it.
func TestBench(t *testing.T) {
	if os.Getenv("BENCH") == "" {
		t.Skip("a measurement, not a test. Try: make bench")
	}
	s := settings{
		rounds: number(t, "ROUNDS", 3), entries: number(t, "BENCH_ENTRIES", 10_000_000),
		seconds: time.Duration(number(t, "BENCH_SECONDS", 5)) * time.Second,
		only:    regexp.MustCompile(os.Getenv("BENCH_ONLY")), out: os.Getenv("BENCH_OUT"),
	}
	r := bench.Report{Machine: machine(t, s)}
	for _, make := range []func(*testing.T, settings) []bench.Subject{credits, calls, chains} {
		t.Run("", func(t *testing.T) {
			for _, subject := range make(t, s) {
				figures, err := subject.Measure(t.Context(), s.rounds)
				require.NoError(t, err)
				r.Figures = append(r.Figures, figures...)
			}
		})
	}
	require.NoError(t, r.WriteTable(os.Stdout))
	if s.out != "" && !t.Failed() {
		write(t, filepath.Join(s.out, "benchmarks.json"), r.WriteJSON)
		write(t, filepath.Join(s.out, "benchmarks.md"), r.WriteMarkdown)
	}
}

// wanted leaves out the subjects that were not asked for.
func (s settings) wanted(subjects ...bench.Subject) []bench.Subject {
	var wanted []bench.Subject
	for _, subject := range subjects {
		if s.only.MatchString(subject.Name) {
			wanted = append(wanted, subject)
		}
	}
	return wanted
}

func number(t *testing.T, name string, otherwise int) int {
	text := os.Getenv(name)
	if text == "" {
		return otherwise
	}
	n, err := strconv.Atoi(text)
	require.NoError(t, err, name)
	require.Positive(t, n, name)
	return n
}

func write(t *testing.T, path string, content func(io.Writer) error) {
	file, err := os.Create(path)
	require.NoError(t, err)
	require.NoError(t, content(file))
	require.NoError(t, file.Close())
}
