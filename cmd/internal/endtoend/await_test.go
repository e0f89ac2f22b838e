package endtoend_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// patience is how long anything may take that is bound to happen. It bounds
// failing tests only.
const patience = 90 * time.Second

// await returns when the condition holds.
func await(t *testing.T, what string, holds func() bool) {
	t.Helper()
	for deadline := time.Now().Add(patience); !holds(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(deadline) {
			require.Fail(t, "waited in vain", what)
		}
	}
}
