package deposit

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/jackc/pgx/v5"
)

// CaseKind says why a person has to look.
type CaseKind string

// The kinds of cases.
const (
	CaseUnknownDeposit   CaseKind = "unknown_deposit"   // a message names a deposit that never came to be
	CaseBrandMismatch    CaseKind = "brand_mismatch"    // a brand's account names another brand's deposit; an alarm
	CaseGatewayMismatch  CaseKind = "gateway_mismatch"  // another gateway or account than the deposit's
	CaseCurrencyMismatch CaseKind = "currency_mismatch" // paid in another currency
	CaseAmountMismatch   CaseKind = "amount_mismatch"   // another amount was paid
	CasePaymentUnnamed   CaseKind = "payment_unnamed"   // confirmed, but by which payment?
	CasePaymentReused    CaseKind = "payment_reused"    // the payment paid another deposit already
	CaseSecondPayment    CaseKind = "second_payment"    // the deposit was paid already, by another payment
	CaseChargeback       CaseKind = "chargeback"        // the money went back
	CaseCreditExhausted  CaseKind = "credit_exhausted"  // confirmed, and no attempt to credit succeeded
	CaseCreditInvalid    CaseKind = "credit_invalid"    // gaming can never take this credit
	CaseKeyConflict      CaseKind = "key_conflict"      // gaming has this deposit id with other content
	CaseEffectExhausted  CaseKind = "effect_exhausted"  // an effect could not be published
)

// The types of a case's subject.
const (
	subjectDeposit = "deposit"
	subjectPayment = "payment"
	subjectMessage = "message"
	subjectEffect  = "effect"
)

// newCase is a case to open.
type newCase struct {
	brand       string
	subjectType string
	subjectID   string
	kind        CaseKind
	cause       string
	detail      caseDetail
}

// caseDetail is what the person who takes the case wants to know first.
type caseDetail struct {
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

// openCase opens a case where none of the kind is open on the subject. It
// reports whether it did.
func openCase(ctx context.Context, tx pgx.Tx, c newCase) (bool, error) {
	detail, err := json.Marshal(c.detail)
	if err != nil {
		return false, err
	}
	tag, err := tx.Exec(ctx, insertCase, c.brand, c.subjectType, c.subjectID, string(c.kind), c.cause, string(detail))
	if err != nil {
		return false, fmt.Errorf("open case %s: %w", c.kind, err)
	}
	return tag.RowsAffected() == 1, nil
}

const closeCases = `
update casino.cases
set closed_at = clock_timestamp(), resolution = $3
where subject_type = $1 and subject_id = $2 and kind = any ($4::text[]::casino.case_kind[]) and closed_at is null
returning kind::text`

// closeDepositCases closes what the deposit's own progress has settled, and
// returns the kinds that it closed.
func closeDepositCases(ctx context.Context, tx pgx.Tx, id, resolution string, kinds ...string) ([]string, error) {
	rows, err := tx.Query(ctx, closeCases, subjectDeposit, id, resolution, kinds)
	if err != nil {
		return nil, fmt.Errorf("close cases: %w", err)
	}
	closed, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		return nil, fmt.Errorf("close cases: %w", err)
	}
	return closed, nil
}

// attemptCause names one attempt of one job.
func attemptCause(jobID int64, attempt int) string {
	return fmt.Sprintf("job %d attempt %d", jobID, attempt)
}

// messageCause names a message.
func messageCause(id string) string { return "message " + id }
