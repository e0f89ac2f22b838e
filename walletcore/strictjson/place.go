package strictjson

import (
	"fmt"
	"strings"
)

// place is where a value stands in its document. Only an error needs it as a
// text, so no text is made before: the sum of all paths may be a thousand
// times as long as the document.
type place struct {
	in   *place // nil at the top
	name string // as it was sent
	item bool   // of a list, which has no name of its own
}

// field is the path of a field of the object that stands here, such as
// data.items[].amount. The names on the way are the sender's, and made fit for
// an error message; the last one is given by a reader.
func (p *place) field(name string) string {
	if p == nil {
		return name
	}
	return p.path() + "." + name
}

func (p *place) path() string {
	var parts []string
	for at := p; at != nil; at = at.in {
		switch {
		case at.item:
			parts = append(parts, "[]")
		case at.in == nil:
			parts = append(parts, printable(at.name))
		default:
			parts = append(parts, "."+printable(at.name))
		}
	}
	var path strings.Builder
	for i := len(parts) - 1; i >= 0; i-- {
		path.WriteString(parts[i])
	}
	return path.String()
}

// printable makes a key of the sender's fit for an error message.
func printable(name string) string {
	const limit = 64
	if name == "" {
		return `""`
	}
	if len(name) > limit {
		name = name[:limit] + "…"
	}
	return strings.Trim(fmt.Sprintf("%q", name), `"`)
}
