// Package inbox keeps every message of a payment gateway, with what came of it,
// for ever. A message is handled once: its row commits with its effect, and the
// same message again gets the recorded outcome.
package inbox
