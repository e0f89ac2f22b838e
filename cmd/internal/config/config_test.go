package config_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/cmd/internal/config"
)

type settings struct {
	Gaming config.Secret `env:"GAMING_DATABASE_URL"`
	Casino config.Secret `env:"CASINO_DATABASE_URL"`
	Token  config.Secret `env:"TOKEN"`
	Wait   time.Duration `env:"WAIT" envDefault:"3s"`
	Size   int32         `env:"SIZE"`
	Nested struct {
		On bool `env:"ON"`
	} `envPrefix:"NESTED_"`
}

func write(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	return path
}

func load(t *testing.T, environ ...string) settings {
	t.Helper()
	s, err := config.Load[settings](config.Options{Environ: environ})
	require.NoError(t, err)
	return s
}

func TestLoad_TheStrongestPlaceWins(t *testing.T) {
	t.Parallel()
	file := write(t, "\ufeff# comment\n\nWAIT='9s'\nSIZE=9\nexport TOKEN=\"from file\"\n")
	environ := []string{"CONFIG_FILE=" + file, "SIZE=8", "WAIT=8s"}
	s, err := config.Load[settings](config.Options{Flags: map[string]string{"WAIT": "7s"}, Environ: environ})

	require.NoError(t, err)
	require.Equal(t, 7*time.Second, s.Wait, "a flag")
	require.Equal(t, int32(8), s.Size, "the environment")
	require.Equal(t, "from file", s.Token.Reveal(), "the file")
	require.Equal(t, 3*time.Second, load(t, "WAIT=").Wait, "an empty value is not set: the default")
}

func TestLoad_DatabaseURLStandsForBothWithinOnePlace(t *testing.T) {
	t.Parallel()
	s := load(t, "DATABASE_URL=both", "CASINO_DATABASE_URL=casino")
	require.Equal(t, "both", s.Gaming.Reveal())
	require.Equal(t, "casino", s.Casino.Reveal())

	file := write(t, "GAMING_DATABASE_URL=from file\n")
	s = load(t, "CONFIG_FILE="+file, "DATABASE_URL=from environment")
	require.Equal(t, "from environment", s.Gaming.Reveal(), "the environment is stronger than the file")
}

func TestLoad_SecretsComeFromFilesOfTheirOwn(t *testing.T) {
	t.Parallel()
	require.Equal(t, "s3cret ", load(t, "TOKEN_FILE="+write(t, "s3cret \r\n")).Token.Reveal())

	for problem, environ := range map[string][]string{
		"TOKEN and TOKEN_FILE are both set":                                      {"TOKEN=a", "TOKEN_FILE=b"},
		"TOKEN_FILE names a file that cannot be read: no such file or directory": {"TOKEN_FILE=/none"},
		"TOKEN_FILE names a file that cannot be read: is a directory":            {"TOKEN_FILE=" + t.TempDir()},
		"TOKEN_FILE names an empty file":                                         {"TOKEN_FILE=" + write(t, "\n")},
	} {
		_, err := config.Load[settings](config.Options{Environ: environ})
		var wrong *config.Error
		require.ErrorAs(t, err, &wrong)
		require.Equal(t, problem, wrong.Error())
		require.NotEmpty(t, wrong.Hint())
	}
}

func TestLoad_NamesEveryVariableThatIsWrong(t *testing.T) {
	t.Parallel()
	_, err := config.Load[settings](config.Options{Environ: []string{"WAIT=5 minutes", "SIZE=3000000000", "NESTED_ON=maybe"}})
	require.EqualError(t, err, `WAIT is "5 minutes", not a duration
SIZE is "3000000000", not a whole number that fits
NESTED_ON is "maybe", not true or false`)

	type required struct {
		Token config.Secret `env:"TOKEN,required"`
		Key   config.Secret `env:"KEY,required"`
	}
	_, err = config.Load[required](config.Options{Environ: []string{"TOKEN="}})
	require.EqualError(t, err, "TOKEN is not set\nKEY is not set")
}

func TestLoad_RefusesAFileThatCannotBeMeant(t *testing.T) {
	t.Parallel()
	for text, problem := range map[string]string{
		"TOKN=hunter2":              "line 1 sets TOKN, which is not a setting of this program",
		"# c\nTOKEN hunter2":        "line 2 is not of the form NAME=value",
		"TOKEN='hunter2":            "line 1 has a quote that is not closed",
		"TOKEN=a\nTOKEN=hunter2":    "line 2 sets TOKEN a second time",
		"hunter2 with spaces=TOKEN": "line 1 is not of the form NAME=value",
	} {
		_, err := config.Load[settings](config.Options{Environ: []string{"CONFIG_FILE=" + write(t, text)}})
		var wrong *config.FileError
		require.ErrorAs(t, err, &wrong, text)
		require.ErrorContains(t, err, problem)
		require.NotContains(t, err.Error(), "hunter2")
		require.NotEmpty(t, wrong.Hint())
	}
}

type validated struct {
	Size int `env:"SIZE"`
}

func (v *validated) Validate() error {
	if v.Size < 1 {
		return &config.Error{Variable: "SIZE", Problem: "is below 1", Try: "set SIZE=1"}
	}
	return nil
}

func TestLoad_AsksTheSettingsThemselves(t *testing.T) {
	t.Parallel()
	_, err := config.Load[validated](config.Options{Environ: []string{"SIZE=0"}})
	require.EqualError(t, err, "SIZE is below 1")
}

func TestSecret_IsNeverPrinted(t *testing.T) {
	t.Parallel()
	s := settings{Token: "hunter2"}
	encoded, err := json.Marshal(s)
	require.NoError(t, err)
	for _, shown := range []string{
		fmt.Sprint(s), fmt.Sprintf("%+v", s), fmt.Sprintf("%#v", s), fmt.Sprintf("%q %s", s.Token, s.Token),
		string(encoded), s.Token.LogValue().String(),
	} {
		require.NotContains(t, shown, "hunter2")
	}
}
