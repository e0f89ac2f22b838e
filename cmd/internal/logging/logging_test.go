package logging_test

import (
	"bytes"
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/cmd/internal/config"
	"github.com/walletctl/walletctl/cmd/internal/logging"
)

func TestNew_EveryLineNamesServiceAndVersionInUTC(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	logger, err := logging.New(&out, "gaming", "")
	require.NoError(t, err)
	logger.Info("hello", "at", time.Date(2026, 1, 1, 1, 0, 0, 0, time.FixedZone("", 3600)))

	var line map[string]any
	require.NoError(t, json.Unmarshal(out.Bytes(), &line))
	require.Equal(t, "gaming", line["service"])
	require.NotEmpty(t, line["version"])
	require.Equal(t, "2026-01-01T00:00:00Z", line["at"])
	at, err := time.Parse(time.RFC3339, line["time"].(string))
	require.NoError(t, err)
	require.Equal(t, "UTC", at.Location().String())
}

func TestNew_LevelIsAThreshold(t *testing.T) {
	t.Parallel()
	for level, want := range map[string]int{"debug": 4, "": 3, "INFO": 3, "warn": 2, "error": 1} {
		var out bytes.Buffer
		logger, err := logging.New(&out, "gaming", level)
		require.NoError(t, err)
		logger.Debug("a")
		logger.Info("b")
		logger.Warn("c")
		logger.Error("d")
		require.Equal(t, want, bytes.Count(out.Bytes(), []byte("\n")), level)
	}
	_, err := logging.New(&bytes.Buffer{}, "gaming", "loud")
	var wrong *config.Error
	require.ErrorAs(t, err, &wrong)
	require.Equal(t, "LOG_LEVEL", wrong.Variable)
}
