package chaincheck

import (
	"errors"
	"fmt"
)

// ErrLocked says that another run works on the same state directory.
var ErrLocked = errors.New("another chain check runs on this state directory")

// ErrNoWallets says that nothing was checked, because the database, the brand
// or the id asked for has no wallet.
var ErrNoWallets = errors.New("no wallet was read")

// OptionError says which option cannot be used, and why. Nothing was read.
type OptionError struct {
	Option string
	Reason string
}

func (e *OptionError) Error() string { return fmt.Sprintf("option %s %s", e.Option, e.Reason) }

// CheckpointError says why the checkpoint in the state directory cannot be
// trusted. The file is left as it is.
type CheckpointError struct {
	Path   string
	Reason string
}

func (e *CheckpointError) Error() string {
	return fmt.Sprintf("checkpoint %s %s. Try: find out who changed it, then move it away; the next run begins a new one",
		e.Path, e.Reason)
}
