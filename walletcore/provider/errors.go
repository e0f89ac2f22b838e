package provider

import "errors"

// ErrUnknownOperation says that the URL names nothing that the dialect has.
var ErrUnknownOperation = errors.New("there is no such operation")

// ProfileError says why a profile cannot be used, before any call is served.
// It never holds a secret.
type ProfileError struct {
	Brand    string
	Provider string
	Field    string // as in providers.yaml
	Reason   string
}

func (e *ProfileError) Error() string {
	return "provider " + e.Brand + "/" + e.Provider + ": " + e.Field + " " + e.Reason
}
