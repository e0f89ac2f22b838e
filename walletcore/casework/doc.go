// Package casework is casino's work for people: a case is opened where a machine
// gave up or must not decide, and tells for ever why. One case is open for one
// thing and kind: a message repeated for days is one line of work.
package casework
