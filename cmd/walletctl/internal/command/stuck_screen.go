package command

import "context"

// runStuckScreen opens the screen.
func runStuckScreen(_ context.Context, _ *factory) error { return errNoScreen() }
