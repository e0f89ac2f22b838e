package command_test

import (
	"bytes"
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/chaincheck"
	"github.com/walletctl/walletctl/cmd/walletctl/internal/command"
	"github.com/walletctl/walletctl/cmd/walletctl/internal/output"
	"github.com/walletctl/walletctl/walletcore/wallettest"
)

type checkFunc = func(context.Context, chaincheck.Deps, chaincheck.Options) (chaincheck.Report, error)

// runCheck runs "chaincheck" on a real database with the check replaced, and
// returns the exit code with both streams.
func runCheck(t *testing.T, ctx context.Context, check checkFunc) (code int, stdout, stderr string) {
	t.Helper()
	db := wallettest.NewDatabase(t)
	var out, errs bytes.Buffer
	environ := []string{"GAMING_DATABASE_URL=" + db.URL(t, wallettest.Auditor)}
	code = command.RunWithCheck(ctx, output.Streams{Out: &out, Err: &errs}, environ, []string{"chaincheck", "--primary"}, check)
	return code, out.String(), errs.String()
}

func TestChaincheck_ExitCodeIsTheVerdict(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		status chaincheck.Status
		err    error
		want   int
	}{
		"closed":                              {chaincheck.StatusClosed, nil, 0},
		"warning":                             {chaincheck.StatusWarning, nil, 1},
		"broken":                              {chaincheck.StatusBroken, nil, 2},
		"broken, and then failed":             {chaincheck.StatusBroken, errors.New("x"), 2},
		"unknown":                             {chaincheck.StatusUnknown, nil, 3},
		"no status":                           {"", nil, 3},
		"an error is never closed":            {chaincheck.StatusClosed, errors.New("x"), 3},
		"what cannot be locked is not closed": {chaincheck.StatusUnknown, chaincheck.ErrLocked, 3},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			code, stdout, stderr := runCheck(t, t.Context(), func(context.Context, chaincheck.Deps, chaincheck.Options) (chaincheck.Report, error) {
				return chaincheck.Report{SchemaVersion: 1, Status: c.status}, c.err
			})
			require.Equal(t, c.want, code)
			require.NotEmpty(t, stdout)
			require.Equal(t, c.err != nil, stderr != "", stderr)
		})
	}
}

func TestChaincheck_PanicIsCouldNotTell(t *testing.T) {
	t.Parallel()
	code, stdout, stderr := runCheck(t, t.Context(), func(context.Context, chaincheck.Deps, chaincheck.Options) (chaincheck.Report, error) {
		panic("out of \x1b[2J cheese")
	})

	require.Equal(t, 3, code)
	require.Empty(t, stdout)
	require.Regexp(t, `^walletctl: panic: out of \\u001b\[2J cheese\nTry: `, stderr)
}

func TestRun_PanicElsewhereIsAFailure(t *testing.T) {
	t.Parallel()
	var errs bytes.Buffer
	code := command.RunWithCheck(t.Context(), output.Streams{Out: panicking{}, Err: &errs}, nil, []string{"version"}, nil)

	require.Equal(t, 1, code)
	require.Regexp(t, `^walletctl: panic: no more paper\n`, errs.String())
}

func TestChaincheck_InterruptionIsNoVerdict(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	code, _, _ := runCheck(t, ctx, func(ctx context.Context, _ chaincheck.Deps, _ chaincheck.Options) (chaincheck.Report, error) {
		cancel()
		return chaincheck.Report{SchemaVersion: 1, Status: chaincheck.StatusUnknown}, ctx.Err()
	})

	require.Equal(t, 130, code)
}

type panicking struct{}

func (panicking) Write([]byte) (int, error) { panic("no more paper") }
