package chaincheck

// Status is the verdict of a run.
type Status string

// The verdicts.
const (
	// StatusClosed: everything asked for was read, and every chain is closed.
	StatusClosed Status = "closed"
	// StatusWarning: closed as far as could be seen, see the warnings.
	StatusWarning Status = "warning"
	// StatusBroken: at least one chain is broken, whatever else could not be
	// read.
	StatusBroken Status = "broken"
	// StatusUnknown: something could not be read, or the replica is not
	// connected. It is never to be taken for closed.
	StatusUnknown Status = "unknown"
)

// ExitCode returns the status as a program's exit code: 0 closed, 1 warning, 2
// broken, 3 could not tell. An unset status is 3.
func (s Status) ExitCode() int {
	switch s {
	case StatusClosed:
		return 0
	case StatusWarning:
		return 1
	case StatusBroken:
		return 2
	}
	return 3
}
