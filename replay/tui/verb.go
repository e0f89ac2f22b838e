package tui

import (
	"time"

	"github.com/walletctl/walletctl/replay"
)

// verb is what can be done to an item, in the words for it.
type verb struct {
	name string // "Take"
	past string // "taken"
}

var (
	verbCheck    = verb{"Check", "checked"}
	verbReplay   = verb{"Send again", "sent again"}
	verbClaim    = verb{"Take", "taken"}
	verbTakeOver = verb{"Take over", "taken over"}
	verbRelease  = verb{"Release", "released"}
	verbNote     = verb{"Note", "noted"}
	verbResolve  = verb{"Resolve", "resolved"}
)

// outcome is what came of an act on one item. Its texts are harmless.
type outcome struct {
	at   time.Time
	ref  replay.Ref
	id   string
	verb verb
	good bool
	text string
}

// word says in one word how it went.
func (o *outcome) word() string {
	if o.good {
		return "ok"
	}
	return "FAILED"
}
