package endtoend_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"os/exec"

	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/walletcore/wallettest"
)

// oncall is a person with a login of their own and walletctl.
type oncall struct {
	p      *platform
	person wallettest.Person
}

func (p *platform) oncall(name string) oncall {
	p.t.Helper()
	return oncall{p, wallettest.NewPerson(p.t, name, "oncall")}
}

// command is a command line that was not started.
func (o oncall) command(arguments ...string) (command *exec.Cmd, stdout, stderr *bytes.Buffer) {
	o.p.t.Helper()
	url := o.p.db.URLOf(o.p.t, o.person)
	stdout, stderr = &bytes.Buffer{}, &bytes.Buffer{}
	command = exec.CommandContext(o.p.t.Context(), binary(o.p.t, "walletctl"), arguments...)
	command.Env = append(os.Environ(), "GAMING_DATABASE_URL="+url, "CASINO_DATABASE_URL="+url)
	command.Stdout, command.Stderr = stdout, stderr
	return command, stdout, stderr
}

// run runs a command line, which must exit with a code.
func (o oncall) run(code int, arguments ...string) (stdout, stderr string) {
	o.p.t.Helper()
	command, out, errs := o.command(arguments...)
	require.Equal(o.p.t, code, exitOf(command.Run()), "%v\n%s%s", arguments, out, errs)
	return out.String(), errs.String()
}

func exitOf(err error) int {
	var ended *exec.ExitError
	if errors.As(err, &ended) {
		return ended.ExitCode()
	}
	if err != nil {
		return -1
	}
	return 0
}

// replayed is what a replay tells of one thing.
type replayed struct {
	Outcome string `json:"outcome"`
	Status  string `json:"status"`
	Class   string `json:"error_class"`
	Error   string `json:"error"`
	Receipt *struct {
		Seq        int    `json:"seq"`
		Kind       string `json:"kind"`
		ExternalID string `json:"external_id"`
		RealBefore string `json:"real_before"`
		RealAfter  string `json:"real_after"`
	} `json:"receipt"`
}

// replay sends one thing again.
func (o oncall) replay(code int, id string) replayed {
	o.p.t.Helper()
	out, _ := o.run(code, "replay", id, "--why", "drill", "-o", "json")
	var document struct{ Results []replayed }
	require.NoError(o.p.t, json.Unmarshal([]byte(out), &document))
	require.Len(o.p.t, document.Results, 1)
	return document.Results[0]
}

func (p *platform) waitCase(id, kind string) {
	p.t.Helper()
	await(p.t, "case "+kind+" of "+id, func() bool {
		return p.count(`select count(*) from casino.cases where subject_id = $1 and kind::text = $2 and closed_at is null`, id, kind) == 1
	})
}

// openCases are the kinds of all that are open.
func (p *platform) openCases() []string {
	p.t.Helper()
	return p.texts(`select kind::text from casino.cases where closed_at is null order by kind`)
}
