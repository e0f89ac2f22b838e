package endtoend_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/walletcore/wallettest"
)

// ownStack is servers of this test alone, which it may stop and kill.
type ownStack struct {
	t      *testing.T
	folder string
}

var export = regexp.MustCompile(`(?m)^export (\w+)='(.*)'$`)

// newOwnStack starts servers and makes them those of the environment until the
// test ends, which therefore must not run beside others.
func newOwnStack(t *testing.T) *ownStack {
	t.Helper()
	s := &ownStack{t: t, folder: filepath.Join(t.TempDir(), "stack")}
	t.Cleanup(func() { s.do("down") })
	for _, line := range export.FindAllStringSubmatch(s.do("up"), -1) {
		t.Setenv(line[1], line[2])
	}
	return s
}

// do runs a command of deploy/stack and returns what it printed.
func (s *ownStack) do(arguments ...string) string {
	s.t.Helper()
	command := exec.Command(filepath.Join(root, "deploy", "stack"), arguments...)
	command.Env = append(os.Environ(), "STACK_DIR="+s.folder, "STACK_SHARED_BUFFERS=64MB")
	command.Stderr = testLog{s.t}
	output, err := command.Output()
	require.NoError(s.t, err)
	return string(output)
}

// rabbitmqctl runs a command of the broker's own tool.
func (s *ownStack) rabbitmqctl(arguments ...string) {
	s.t.Helper()
	folder := wallettest.Getenv(s.t, "STACK_DIR")
	conf, err := os.ReadFile(filepath.Join(folder, "stack.conf"))
	require.NoError(s.t, err)
	epmd := regexp.MustCompile(`(?m)^port\[epmd\]=(\d+)$`).FindSubmatch(conf)
	require.NotNil(s.t, epmd)
	command := exec.Command("/usr/lib/rabbitmq/bin/rabbitmqctl", arguments...)
	command.Env = []string{
		"HOME=" + filepath.Join(folder, "rabbitmq"), "PATH=" + os.Getenv("PATH"), "LANG=C.UTF-8",
		"ERL_EPMD_PORT=" + string(epmd[1]), "RABBITMQ_NODENAME=walletctl@localhost", "RABBITMQ_CONF_ENV_FILE=/dev/null",
	}
	output, err := command.CombinedOutput()
	require.NoError(s.t, err, string(output))
}

type testLog struct{ t *testing.T }

// Write implements io.Writer.
func (l testLog) Write(p []byte) (int, error) {
	l.t.Logf("%s", p)
	return len(p), nil
}
