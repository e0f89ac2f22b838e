package endtoend_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// root is the module's own folder.
const root = "../../.."

var binaries string // the folder of the programs

func TestMain(m *testing.M) {
	var err error
	if binaries, err = os.MkdirTemp("", "endtoend-"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	code := m.Run()
	_ = os.RemoveAll(binaries)
	os.Exit(code)
}

// build makes the programs once for all tests. What they must do under the race
// detector, their packages' own tests show.
var build = sync.OnceValue(func() error {
	command := exec.Command("go", "build", "-buildvcs=false", "-o", binaries+"/", "./cmd/casino", "./cmd/gaming", "./cmd/walletctl")
	command.Dir = root
	if output, err := command.CombinedOutput(); err != nil {
		return fmt.Errorf("build the programs: %w\n%s", err, output)
	}
	return nil
})

// binary returns the path of a program.
func binary(t *testing.T, name string) string {
	t.Helper()
	require.NoError(t, build())
	return filepath.Join(binaries, name)
}
