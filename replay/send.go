package replay

import (
	"context"
	"strings"

	"github.com/jackc/pgx/v5"

	"github.com/walletctl/walletctl/walletcore"
	"github.com/walletctl/walletctl/walletcore/pgtx"
)

// Outcome is what came of asking for a replay, or of the replay itself.
type Outcome string

// The outcomes.
const (
	Queued      Outcome = "queued"       // its job works again now
	Running     Outcome = "running"      // its job is at work or about to be
	Lost        Outcome = "lost"         // its job is gone; casino's sweep gives it a new one within a minute
	Done        Outcome = "done"         // done: before, or by this replay
	NotDue      Outcome = "not_due"      // there is nothing that waits to be sent: not paid, or not our turn
	ChargedBack Outcome = "charged_back" // the gateway took the money back; a person decides
	Unknown     Outcome = "unknown"      // there is no such thing
	Failed      Outcome = "failed"       // it was tried again, and failed again
	TimedOut    Outcome = "timed_out"    // it is still at work; look again later
)

// Pending reports whether the outcome of a replay is still to come.
func (o Outcome) Pending() bool { return o == Queued || o == Running || o == Lost }

// Sent is a replay that was asked for.
type Sent struct {
	Subject Subject
	Outcome Outcome
	JobID   int64
	after   int64  // the last line of its history before
	why     string // kept with it
}

// Send has the kept job of a subject work again, and returns at once. The
// reason is kept with the login. ErrForbidden where the login may not.
func (d *Desk) Send(ctx context.Context, s Subject, why string) (Sent, error) {
	return send(ctx, d.Casino, s, why)
}

// DryRun tells what Send would do, and does not do it: it is sent in a
// transaction that is rolled back.
func (d *Desk) DryRun(ctx context.Context, s Subject) (Sent, error) {
	tx, err := d.Casino.Begin(ctx)
	if err != nil {
		return Sent{Subject: s}, actError("send "+s.ID+" again", Ref{}, err)
	}
	defer func() { _ = tx.Rollback(context.WithoutCancel(ctx)) }()
	return send(ctx, tx, s, "dry run")
}

func send(ctx context.Context, db pgtx.Querier, s Subject, why string) (Sent, error) {
	sent := Sent{Subject: s, why: why}
	if err := checkText("why", why, MaxWhy); err != nil {
		return sent, err
	}
	row, err := call(ctx, db, s, why)
	if err != nil {
		return sent, err
	}
	err = row.Scan(&sent.Outcome, &sent.JobID, &sent.after)
	return sent, actError("send "+s.ID+" again", Ref{}, err)
}

// call asks the function of the database that is the one way to send again.
func call(ctx context.Context, db pgtx.Querier, s Subject, why string) (pgx.Row, error) {
	switch s.Type {
	case Deposit:
		return db.QueryRow(ctx, `select outcome, coalesce(job, 0), after_event from casino.replay_deposit($1, $2)`, s.ID, why), nil
	case Withdrawal:
		return db.QueryRow(ctx, `select outcome, coalesce(job, 0), after_event from casino.replay_withdrawal($1, $2)`, s.ID, why), nil
	case Effect:
		id, name, _ := strings.Cut(s.ID, "/")
		return db.QueryRow(ctx, `select outcome, coalesce(job, 0), after_event from casino.replay_effect($1, $2, $3)`, id, name, why), nil
	}
	return nil, &walletcore.FieldError{Field: "id", Reason: "is of something that is not sent again"}
}
