package record

import (
	"unicode/utf8"

	"github.com/walletctl/walletctl/walletcore/printable"
)

// maxShown bounds what an error quotes of a file, in bytes.
const maxShown = 64

// shown makes text of a file fit for an error.
func shown(text string) string {
	if len(text) <= maxShown {
		return printable.Text(text)
	}
	cut := maxShown
	for cut > maxShown-utf8.UTFMax && !utf8.RuneStart(text[cut]) {
		cut--
	}
	return printable.Text(text[:cut]) + "…"
}
