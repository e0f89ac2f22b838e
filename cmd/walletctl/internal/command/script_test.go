package command_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/rogpeppe/go-internal/testscript"
	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/cmd/walletctl/internal/command"
	"github.com/walletctl/walletctl/cmd/walletctl/internal/output"
	"github.com/walletctl/walletctl/walletcore/wallettest"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"walletctl": func() { os.Exit(command.Main(os.Args[1:], output.System(), os.Environ())) },
	})
}

func TestScripts(t *testing.T) {
	t.Parallel()
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		UpdateScripts:       os.Getenv("UPDATE_SCRIPTS") != "",
		Setup:               setup,
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"database":    cmdDatabase,
			"empty":       cmdEmpty,
			"url":         cmdURL,
			"sql":         cmdSQL,
			"seed":        cmdSeed,
			"unkeyed":     cmdUnkeyed,
			"provider":    cmdProvider,
			"person":      cmdPerson,
			"casino":      cmdCasino,
			"replicated":  cmdReplicated,
			"exits":       cmdExits,
			"masked":      cmdMasked,
			"silent":      cmdSilent,
			"closedpipe":  cmdClosedPipe,
			"interrupted": cmdInterrupted,
			"login":       cmdLogin,
			"keepid":      cmdKeepID,
			"poster":      cmdPoster,
			"sweep":       cmdSweep,
		},
	})
}

// scriptTest is the key of the testing.TB that a script runs under.
type scriptTest struct{}

// scriptDatabase is the key of a script's database.
type scriptDatabase struct{}

func setup(env *testscript.Env) error {
	env.Values[scriptTest{}] = env.T().(testing.TB)
	env.Values[scriptDatabase{}] = &wallettest.Database{}
	return nil
}

func testOf(ts *testscript.TestScript) testing.TB { return ts.Value(scriptTest{}).(testing.TB) }

func databaseOf(ts *testscript.TestScript) *wallettest.Database {
	return ts.Value(scriptDatabase{}).(*wallettest.Database)
}

// cmdDatabase makes a migrated database and sets the variables of a person
// on call.
func cmdDatabase(ts *testscript.TestScript, _ bool, _ []string) {
	t := testOf(ts)
	*databaseOf(ts) = *wallettest.NewDatabase(t)
	cmdURL(ts, false, []string{"GAMING_DATABASE_URL", string(wallettest.Auditor)})
	cmdURL(ts, false, []string{"CASINO_DATABASE_URL", string(wallettest.Auditor)})
	cmdURL(ts, false, []string{"DATABASE_REPLICA_URL", string(wallettest.Replica)})
	ts.Setenv("LEDGER_KEYS_FILE", wallettest.Getenv(t, "LEDGER_KEYS_FILE"))
}

// cmdEmpty makes a database without anything in it.
func cmdEmpty(ts *testscript.TestScript, _ bool, _ []string) {
	t := testOf(ts)
	admin, err := pgx.Connect(t.Context(), wallettest.Getenv(t, string(wallettest.Admin)))
	ts.Check(err)
	defer admin.Close(t.Context())
	name := "test_" + uuid.NewString()[:13]
	_, err = admin.Exec(t.Context(), fmt.Sprintf(`create database %q owner wallet_owner`, name))
	ts.Check(err)
	*databaseOf(ts) = wallettest.Database{Name: name}
	t.Cleanup(func() { drop(t, name) })
	cmdURL(ts, false, []string{"DATABASE_URL", string(wallettest.Owner)})
}

func drop(t testing.TB, name string) {
	ctx := context.Background()
	admin, err := pgx.Connect(ctx, wallettest.Getenv(t, string(wallettest.Admin)))
	require.NoError(t, err)
	defer admin.Close(ctx)
	_, err = admin.Exec(ctx, fmt.Sprintf(`drop database if exists %q with (force)`, name))
	require.NoError(t, err)
}

// cmdURL sets a variable to the script's database as a role: url VARIABLE ROLE.
func cmdURL(ts *testscript.TestScript, _ bool, args []string) {
	ts.Setenv(args[0], databaseOf(ts).URL(testOf(ts), wallettest.Role(args[1])))
}

// cmdPerson has a person with a login of their own work from now on: person NAME
// ROLE...
func cmdPerson(ts *testscript.TestScript, _ bool, args []string) {
	t := testOf(ts)
	url := databaseOf(ts).URLOf(t, wallettest.NewPerson(t, args[0], args[1:]...))
	ts.Setenv("GAMING_DATABASE_URL", url)
	ts.Setenv("CASINO_DATABASE_URL", url)
}

// cmdSQL runs statements as a role: sql ROLE FILE.
func cmdSQL(ts *testscript.TestScript, _ bool, args []string) {
	t := testOf(ts)
	conn, err := pgx.Connect(t.Context(), databaseOf(ts).URL(t, wallettest.Role(args[0])))
	ts.Check(err)
	defer conn.Close(t.Context())
	_, err = conn.Exec(t.Context(), ts.ReadFile(args[1]))
	ts.Check(err)
}

func cmdReplicated(ts *testscript.TestScript, _ bool, _ []string) {
	wallettest.WaitForReplica(testOf(ts))
}

// cmdExits runs a program and wants an exit code: exits CODE PROGRAM ARGS...
func cmdExits(ts *testscript.TestScript, _ bool, args []string) {
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := codeOf(ts, ts.Exec(args[1], args[2:]...))
	if got != want {
		ts.Fatalf("exit code %d, want %d", got, want)
	}
}

func codeOf(ts *testscript.TestScript, err error) int {
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return exit.ExitCode()
	}
	ts.Check(err)
	return 0
}

// volatile is what differs from run to run. The masks are as long, so that
// columns stay where they are.
var volatile = []struct{ pattern, mask string }{
	{`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z`, "2026-01-02T03:04:05.678901Z"},
	{`"20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z"`, `"2026-01-02T03:04:05Z"`},
	{`\b(ana|bea|eve)_[0-9a-f]{8}\b`, "${1}_00000000"},
	{`[0-9a-f]{64}`, strings.Repeat("ab", 32)},
	{`(?m)^(took +).*$`, "${1}1ms"},
	{`(?m)^(replica +behind by ).*$`, "${1}1ms"},
	{`("(duration_ms|lag_ms|rows_per_second|retries)": )\d+`, "${1}1"},
	{`("replay_lsn": )"[^"]+"`, `${1}"0/1"`},
	{`(duration|lag)=\d+ms`, "${1}=1ms"},
	{`/\S*/(state|keys)\b`, "$$WORK/${1}"},
	{`adj_[0-9a-f]{32}`, "adj_" + strings.Repeat("0f", 16)},
	{`\b(mary|miro|sue|sam)_[0-9a-f]{8}\b`, "${1}_0f0f0f0f"},
	{`"host": "[^"]+"`, `"host": "desk"`},
	{`(sue|mary|sam)_0f0f0f0f,(true|),([a-z ]*),[^,]+,127`, "${1}_0f0f0f0f,${2},${3},desk,127"},
	{`walletctl \(devel\)`, "walletctl v1.2.3"},
}

// cmdMasked writes the last stdout, with what is volatile masked, to a file:
// masked FILE.
func cmdMasked(ts *testscript.TestScript, _ bool, args []string) {
	text := ts.ReadFile("stdout")
	for _, v := range volatile {
		text = regexp.MustCompile(v.pattern).ReplaceAllString(text, v.mask)
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(text), 0o600))
}

// cmdSilent wants no secret in the last output: silent SECRET.
func cmdSilent(ts *testscript.TestScript, _ bool, args []string) {
	for _, stream := range []string{"stdout", "stderr"} {
		if strings.Contains(ts.ReadFile(stream), args[0]) {
			ts.Fatalf("%s shows %q", stream, args[0])
		}
	}
}

// cmdClosedPipe runs a program whose stdout nobody reads, and wants an exit
// code: closedpipe CODE PROGRAM ARGS...
func cmdClosedPipe(ts *testscript.TestScript, _ bool, args []string) {
	cmd, errText := program(ts, args[1:])
	reader, writer, err := os.Pipe()
	ts.Check(err)
	ts.Check(reader.Close())
	cmd.Stdout = writer
	err = cmd.Run()
	ts.Check(writer.Close())
	wantCode(ts, args[0], codeOf(ts, err), errText.String())
}

// cmdInterrupted runs a program against a server that takes connections and
// never answers, in $SILENT, interrupts it there, and wants an exit code:
// interrupted CODE PROGRAM ARGS...
func cmdInterrupted(ts *testscript.TestScript, _ bool, args []string) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	ts.Check(err)
	defer listener.Close()
	url := "postgres://nobody@" + listener.Addr().String() + "/none?sslmode=disable"
	cmd, errText := program(ts, args[1:])
	cmd.Env = append(cmd.Env, "DATABASE_REPLICA_URL="+url, "GAMING_DATABASE_URL="+url)
	ts.Check(cmd.Start())
	conn, err := listener.Accept()
	ts.Check(err)
	defer conn.Close()
	_, err = bufio.NewReader(conn).ReadByte() // it waits for the answer now
	ts.Check(err)
	ts.Check(cmd.Process.Signal(os.Interrupt))
	wantCode(ts, args[0], codeOf(ts, cmd.Wait()), errText.String())
}

func program(ts *testscript.TestScript, args []string) (*exec.Cmd, *strings.Builder) {
	path, err := exec.LookPath(args[0])
	ts.Check(err)
	cmd := exec.CommandContext(testOf(ts).Context(), path, args[1:]...)
	for _, name := range []string{"GAMING_DATABASE_URL", "CASINO_DATABASE_URL", "DATABASE_REPLICA_URL", "LEDGER_KEYS_FILE"} {
		cmd.Env = append(cmd.Env, name+"="+ts.Getenv(name))
	}
	var errText strings.Builder
	cmd.Stderr = &errText
	return cmd, &errText
}

func wantCode(ts *testscript.TestScript, want string, got int, stderr string) {
	if strconv.Itoa(got) != want {
		ts.Fatalf("exit code %d, want %s; stderr:\n%s", got, want, stderr)
	}
}
