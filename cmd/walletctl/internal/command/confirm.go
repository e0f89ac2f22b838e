package command

import (
	"context"
	"fmt"

	"github.com/walletctl/walletctl/cmd/walletctl/internal/output"
)

// confirm wants a text typed before money moves: given by --confirm, or on the
// terminal. The error is a usage error; nothing was done.
func confirm(ctx context.Context, f *factory, given, want string) error {
	if given == want {
		return nil
	}
	if given != "" {
		return usagef(fmt.Sprintf("--confirm %q", want), "--confirm does not say %q", want)
	}
	if !f.canAsk() {
		return usagef(fmt.Sprintf("--confirm %q", want), "nobody confirmed: there is no terminal to ask on")
	}
	fmt.Fprintf(f.streams.Err, "Type %s to confirm: ", output.Safe(want))
	typed, err := f.answer(ctx)
	if err != nil {
		return fmt.Errorf("nothing was done: %w", err)
	}
	if typed != want {
		return usagef(fmt.Sprintf("type %s, as it stands there", want), "not confirmed, nothing was done")
	}
	return nil
}
