// Package quiet keeps bubbletea from asking the terminal for its background.
//
// Bubbletea asks while it is initialised, in every command of a program that
// links it: whatever reads a terminal of the program would get the question
// among its output, and one that does not answer would hold each command for
// five seconds. The screen needs no answer, since it uses the terminal's own
// colours.
//
// Termenv, which does the asking, takes a program that runs under CI for one
// without a terminal. The variable is set for as long as packages are being
// initialised: the language initialises by import path what is ready, so that
// this package, which needs nothing but os, comes before golang.org/x/sys and
// hence before termenv, and [Restore] is called by a package that imports
// bubbletea and hence comes after it.
package quiet

import "os"

const variable = "CI"

var was, wasSet = os.LookupEnv(variable)

func init() { _ = os.Setenv(variable, "true") }

// Restore gives the variable back what it was.
func Restore() {
	if wasSet {
		_ = os.Setenv(variable, was)
		return
	}
	_ = os.Unsetenv(variable)
}
