// Package printable makes text from anywhere fit to be shown to a person.
package printable

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Text makes text from anywhere harmless to a terminal and keeps it on one
// line: control characters, invisible formatting (direction overrides, zero
// width) and bytes that are not UTF-8 are shown as escapes.
func Text(text string) string {
	if !strings.ContainsFunc(text, Unsafe) && utf8.ValidString(text) {
		return text
	}
	var b strings.Builder
	for len(text) > 0 {
		r, size := utf8.DecodeRuneInString(text)
		switch {
		case r == utf8.RuneError && size == 1:
			fmt.Fprintf(&b, `\x%02x`, text[0])
		case Unsafe(r):
			b.WriteString(Escape(r))
		default:
			b.WriteString(text[:size])
		}
		text = text[size:]
	}
	return b.String()
}

// Unsafe reports whether r can act on a terminal or hide. The joiner of
// emoji hides nothing, but no id needs it.
func Unsafe(r rune) bool {
	return unicode.IsControl(r) || unicode.In(r, unicode.Cf, unicode.Zl, unicode.Zp)
}

// Escape writes a rune as JSON and Go both do, with a surrogate pair where
// JSON needs one.
func Escape(r rune) string {
	if r > 0xffff {
		r -= 0x10000
		return fmt.Sprintf(`\u%04x\u%04x`, 0xd800+r>>10, 0xdc00+r&0x3ff)
	}
	return fmt.Sprintf(`\u%04x`, r)
}
