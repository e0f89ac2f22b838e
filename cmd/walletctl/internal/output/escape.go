package output

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Safe makes text from anywhere harmless to a terminal and keeps it on one
// line: control characters, invisible formatting (direction overrides, zero
// width) and bytes that are not UTF-8 are shown as escapes.
func Safe(text string) string {
	if !strings.ContainsFunc(text, unsafeRune) && utf8.ValidString(text) {
		return text
	}
	var b strings.Builder
	for len(text) > 0 {
		r, size := utf8.DecodeRuneInString(text)
		switch {
		case r == utf8.RuneError && size == 1:
			fmt.Fprintf(&b, `\x%02x`, text[0])
		case unsafeRune(r):
			b.WriteString(escape(r))
		default:
			b.WriteString(text[:size])
		}
		text = text[size:]
	}
	return b.String()
}

// unsafeRune reports whether r can act on a terminal or hide. The joiner of
// emoji hides nothing, but no id needs it.
func unsafeRune(r rune) bool {
	return unicode.IsControl(r) || unicode.In(r, unicode.Cf, unicode.Zl, unicode.Zp)
}

// escape writes a rune as JSON and Go both do, with a surrogate pair where
// JSON needs one.
func escape(r rune) string {
	if r > 0xffff {
		r -= 0x10000
		return fmt.Sprintf(`\u%04x\u%04x`, 0xd800+r>>10, 0xdc00+r&0x3ff)
	}
	return fmt.Sprintf(`\u%04x`, r)
}
