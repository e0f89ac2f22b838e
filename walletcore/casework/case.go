package casework

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/jackc/pgx/v5"

	"github.com/walletctl/walletctl/walletcore/pgtx"
)

// Kind says why a person has to look. The packages that open cases name theirs.
type Kind string

// Subject is what a case is about.
type Subject struct {
	Type string // one of the Subject constants
	ID   string
}

// The types of a case's subject.
const (
	SubjectDeposit    = "deposit"
	SubjectWithdrawal = "withdrawal"
	SubjectPayment    = "payment"
	SubjectMessage    = "message"
	SubjectEffect     = "effect"
)

// New is a case to open.
type New struct {
	Brand   string
	Subject Subject
	Kind    Kind
	Cause   string // the message or the attempt of a job that opened it
	Detail  Detail
}

// Detail is what the person who takes the case wants to know first; no personal
// data.
type Detail struct {
	Reason       string `json:"reason,omitempty"`
	Expected     string `json:"expected,omitempty"`
	Found        string `json:"found,omitempty"`
	MessageID    string `json:"message_id,omitempty"`
	Gateway      string `json:"gateway,omitempty"`
	Account      string `json:"account,omitempty"`
	PaymentID    string `json:"payment_id,omitempty"`
	OtherDeposit string `json:"other_deposit,omitempty"`
	Attempts     int    `json:"attempts,omitempty"`
	Error        string `json:"error,omitempty"`
}

const insertCase = `
insert into casino.cases (brand_id, subject_type, subject_id, kind, cause, detail)
values ($1, $2, $3, $4, $5, $6)
on conflict (subject_type, subject_id, kind) where closed_at is null do nothing`

// Open opens a case where none of the kind is open on the subject. It reports
// whether it did.
func Open(ctx context.Context, tx pgx.Tx, c New) (bool, error) {
	c.Detail.Error = pgtx.Clip(c.Detail.Error)
	detail, err := json.Marshal(c.Detail)
	if err != nil {
		return false, err
	}
	tag, err := tx.Exec(ctx, insertCase, c.Brand, c.Subject.Type, c.Subject.ID, string(c.Kind), c.Cause, string(detail))
	if err != nil {
		return false, fmt.Errorf("open case %s: %w", c.Kind, err)
	}
	return tag.RowsAffected() == 1, nil
}

const closeCases = `
update casino.cases
set closed_at = clock_timestamp(), resolution = $3
where subject_type = $1 and subject_id = $2 and kind = any ($4::text[]::casino.case_kind[]) and closed_at is null
returning kind::text`

// Close closes the open cases of these kinds that the subject's own progress
// has settled, and returns the kinds that it closed.
func Close(ctx context.Context, tx pgx.Tx, s Subject, resolution string, kinds ...Kind) ([]Kind, error) {
	names := make([]string, len(kinds))
	for i, kind := range kinds {
		names[i] = string(kind)
	}
	rows, err := tx.Query(ctx, closeCases, s.Type, s.ID, resolution, names)
	if err != nil {
		return nil, fmt.Errorf("close cases: %w", err)
	}
	closed, err := pgx.CollectRows(rows, pgx.RowTo[Kind])
	if err != nil {
		return nil, fmt.Errorf("close cases: %w", err)
	}
	return closed, nil
}

// AttemptCause names one attempt of one job.
func AttemptCause(jobID int64, attempt int) string {
	return fmt.Sprintf("job %d attempt %d", jobID, attempt)
}

// MessageCause names a message.
func MessageCause(id string) string { return "message " + id }
