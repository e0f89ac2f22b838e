package endtoend_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// logbook keeps what a service logs.
type logbook struct {
	name string
	mu   sync.Mutex
	text bytes.Buffer
}

// Write implements io.Writer.
func (l *logbook) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

func (l *logbook) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

// record is a line of a log.
type record struct {
	Level, Msg, Error, Try, Case string
}

// records returns the lines of a level. Each line must be JSON.
func (l *logbook) records(t *testing.T, level string) []record {
	t.Helper()
	var found []record
	for line := range strings.Lines(l.String()) {
		var r record
		require.NoError(t, json.Unmarshal([]byte(line), &r), "%s logs what is not JSON: %s", l.name, line)
		if r.Level == level {
			found = append(found, r)
		}
	}
	return found
}

// requireSecretsKept asserts that no line shows a secret.
func (l *logbook) requireSecretsKept(t *testing.T, secrets []string) {
	t.Helper()
	text := l.String()
	for _, secret := range secrets {
		require.NotContains(t, text, secret, "%s logged a secret", l.name)
	}
}

// tell shows the end of the log of a test that failed, without its details.
func (l *logbook) tell(t *testing.T) {
	const most = 16 << 10
	var lines strings.Builder
	for line := range strings.Lines(l.String()) {
		if !strings.Contains(line, `"level":"DEBUG"`) {
			lines.WriteString(line)
		}
	}
	text := lines.String()
	t.Logf("log of %s:\n%s", l.name, text[max(0, len(text)-most):])
}
