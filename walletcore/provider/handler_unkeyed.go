package provider

import (
	"context"
	"net/http"
	"time"
)

// UnkeyedFate is what became of a bet or win without an id.
type UnkeyedFate string

// The fates.
const (
	UnkeyedPosted   UnkeyedFate = "posted"
	UnkeyedReplayed UnkeyedFate = "replayed"
	UnkeyedDeclined UnkeyedFate = "declined" // by the wallet, as any other
	// UnkeyedExpired came after the deadline.
	UnkeyedExpired UnkeyedFate = "expired"
	// UnkeyedUnnamed came in a message without an id.
	UnkeyedUnnamed UnkeyedFate = "unnamed"
)

// UnkeyedFates lists the fates.
func UnkeyedFates() []UnkeyedFate {
	return []UnkeyedFate{UnkeyedPosted, UnkeyedReplayed, UnkeyedDeclined, UnkeyedExpired, UnkeyedUnnamed}
}

// unkeyedGrace is how long after the deadline an unknown movement is told to
// come again: its first call may still be under way, and a refusal would be
// believed.
const unkeyedGrace = time.Minute

// key gives an id to the bets and wins of a call that came without one, or says
// why they are refused. Nobody else may use such an id as their own.
func (h *Handler) key(r *http.Request, p *Profile, call *Call, body []byte) *Problem {
	if action := call.find(func(a *Action) bool { return !a.Kind.undoes() && unkeyedForm.MatchString(a.ID) }); action != nil {
		return &Problem{Reason: BadRequest, Message: "an id of this form is not a provider's to give"}
	}
	if call.find(func(a *Action) bool { return a.missing != nil }) == nil {
		return nil
	}
	id, err := p.Unkeyed.messageID(r.Header)
	if err != nil {
		h.tell(r.Context(), p, call, UnkeyedUnnamed)
		return unread(err)
	}
	m := &message{id: id, operation: r.PathValue("operation"), body: body}
	for i := range call.Actions {
		if a := &call.Actions[i]; a.missing != nil {
			a.ID = m.key(p, i)
		}
	}
	if late := h.o.Now().Sub(p.Unkeyed.Until); late >= 0 {
		return h.expired(r.Context(), p, call, late)
	}
	return nil
}

func (c *Call) find(is func(*Action) bool) *Action {
	for i := range c.Actions {
		if is(&c.Actions[i]) {
			return &c.Actions[i]
		}
	}
	return nil
}

// expired refuses what comes after the deadline. A resend of what was posted
// before it still gets its receipt: refused, it would be taken for undone.
func (h *Handler) expired(ctx context.Context, p *Profile, call *Call, late time.Duration) *Problem {
	for i := range call.Actions {
		a := &call.Actions[i]
		if a.missing == nil {
			continue
		}
		posted, err := h.posted(ctx, p, call, a)
		switch {
		case err != nil:
			h.o.Logger.ErrorContext(ctx, "callback not decided", "profile", p.String(), "error", err)
			return problemOf(nil)
		case posted:
		case late < unkeyedGrace:
			return problemOf(nil)
		default:
			h.tell(ctx, p, call, UnkeyedExpired)
			return unread(a.missing)
		}
	}
	return nil
}

func (h *Handler) posted(ctx context.Context, p *Profile, call *Call, a *Action) (bool, error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), h.o.Timeout)
	defer cancel()
	return h.o.Wallet.Posted(ctx, p.wallet(call), a.Kind, p.id(a.ID))
}

// count tells what became of the movements of a call that came without an id.
func (h *Handler) count(ctx context.Context, p *Profile, call *Call, result *Result) {
	for i := range call.Actions {
		if call.Actions[i].missing != nil {
			h.unkeyed(ctx, p, fateOf(&result.Outcomes[i]))
		}
	}
}

func fateOf(o *Outcome) UnkeyedFate {
	switch {
	case o.Err != nil:
		return UnkeyedDeclined
	case o.Posted.Replayed:
		return UnkeyedReplayed
	}
	return UnkeyedPosted
}

// tell is count where all of them share a fate.
func (h *Handler) tell(ctx context.Context, p *Profile, call *Call, fate UnkeyedFate) {
	for i := range call.Actions {
		if call.Actions[i].missing != nil {
			h.unkeyed(ctx, p, fate)
		}
	}
}

// unkeyed tells of one. The first of each fate is a line in the log.
func (h *Handler) unkeyed(ctx context.Context, p *Profile, fate UnkeyedFate) {
	if _, before := h.told.LoadOrStore(p.String()+" "+string(fate), true); !before {
		h.o.Logger.WarnContext(ctx, "movement without an id", "profile", p.String(), "fate", fate, "until", p.Unkeyed.Until)
	}
	h.o.ObserveUnkeyed(p.Brand, p.Provider, fate)
}
