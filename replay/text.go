package replay

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/walletctl/walletctl/walletcore"
)

// The longest texts that a person may give, in bytes.
const (
	MaxNote = 2000 // a note, and the reason of a resolution
	MaxWhy  = 1000 // why something is sent again
)

// checkText refuses a text that the database could not keep. The error is a
// *walletcore.FieldError.
func checkText(field, text string, most int) error {
	reason := ""
	switch {
	case strings.TrimSpace(text) == "":
		reason = "must say something"
	case len(text) > most:
		reason = fmt.Sprintf("is longer than %d bytes", most)
	case !utf8.ValidString(text) || strings.ContainsRune(text, 0):
		reason = "is not text in UTF-8"
	default:
		return nil
	}
	return &walletcore.FieldError{Field: field, Reason: reason}
}
