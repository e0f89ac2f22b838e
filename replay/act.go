package replay

import (
	"context"
	"fmt"
)

// Claim makes the person's login the owner of a case. One that another sees to
// is a *CaseError, unless it is taken over in so many words.
func (d *Desk) Claim(ctx context.Context, ref Ref, takeOver bool) error {
	return d.act(ctx, "claim", ref, `select %s.claim_case($1, $2)`, takeOver)
}

// Release gives a case back to nobody. One that another sees to is a *CaseError.
func (d *Desk) Release(ctx context.Context, ref Ref) error {
	return d.act(ctx, "release", ref, `select %s.release_case($1)`)
}

// Note adds a line to a case's history, also to that of a closed one or of
// another's. A blank or too long text is a *walletcore.FieldError.
func (d *Desk) Note(ctx context.Context, ref Ref, text string) error {
	if err := checkText("note", text, MaxNote); err != nil {
		return err
	}
	return d.act(ctx, "note", ref, `select %s.note_case($1, $2)`, text)
}

// Resolve closes a case with a reason. One that is closed already, or that
// another sees to, is a *CaseError; a blank or too long reason a
// *walletcore.FieldError.
func (d *Desk) Resolve(ctx context.Context, ref Ref, reason string) error {
	if err := checkText("reason", reason, MaxNote); err != nil {
		return err
	}
	return d.act(ctx, "resolve", ref, `select %s.resolve_case($1, $2)`, reason)
}

func (d *Desk) act(ctx context.Context, what string, ref Ref, function string, args ...any) error {
	pool, err := d.of(ref.Schema)
	if err != nil {
		return err
	}
	_, err = pool.Exec(ctx, fmt.Sprintf(function, ref.Schema), append([]any{ref.Number}, args...)...)
	return actError(what+" case "+ref.String(), ref, err)
}
