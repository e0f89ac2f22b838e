package ledger

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/walletctl/walletctl/walletcore"
)

// caseTimeout bounds what a case adds to the time of an answer.
const caseTimeout = 500 * time.Millisecond

// caseKind is a kind of gaming's cases.
type caseKind string

const (
	caseConflict caseKind = "key_conflict"     // the key stands in the ledger with other content
	caseOverflow caseKind = "balance_overflow" // the balance would not fit
	caseReversal caseKind = "reversal_refused" // the balance does not cover what a reversal takes back
)

// caseDetail is what a person wants to know first; no personal data, so that a
// conflict of users is told by its wallets.
type caseDetail struct {
	Brand  string `json:"brand"`
	Wallet string `json:"wallet"`
	Amount string `json:"amount,omitempty"`
	Field  string `json:"field,omitempty"`
	Stored string `json:"stored,omitempty"`
	Given  string `json:"given,omitempty"`
	Reason string `json:"reason,omitempty"`
}

// newCases are cases to open, a place a row.
type newCases struct {
	brands, subjects, kinds, causes, details []string
}

// One is open for one thing and kind: a resend for days is one line of work.
const insertCases = `
insert into gaming.cases (brand_id, subject_type, subject_id, kind, cause, detail)
select brand, 'movement', subject, kind, cause, detail::jsonb
from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[]) as c (brand, subject, kind, cause, detail)
order by subject, kind
on conflict (subject_type, subject_id, kind) where closed_at is null do nothing`

// openCases opens a case for each movement that somebody has to look at. It is
// after the transaction and on the way of refusals only, and never changes the
// answer: a case that cannot be opened is counted, and its resend opens it.
func (l *Ledger) openCases(ctx context.Context, requests []Request, results []Result) {
	var cases newCases
	for i, request := range requests {
		for j := range results[i].Outcomes {
			if err := results[i].Outcomes[j].Err; err != nil && j < len(request) {
				cases.add(&request[j], err)
			}
		}
	}
	if len(cases.kinds) == 0 {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), caseTimeout)
	defer cancel()
	tag, err := l.pool.Exec(ctx, insertCases, cases.brands, cases.subjects, cases.kinds, cases.causes, cases.details)
	if err != nil {
		l.stats.CasesLost.Add(int64(len(cases.kinds)))
		return
	}
	l.stats.CasesOpened.Add(tag.RowsAffected())
}

// add adds the case of one refused movement, if it is one.
func (c *newCases) add(m *Movement, err error) {
	kind, detail := caseOf(m, err)
	if kind == "" {
		return
	}
	wallet := m.Wallet.ID().String()
	detail.Brand, detail.Wallet, detail.Amount = m.Wallet.Brand, wallet, m.Amount.String()
	text, err := json.Marshal(detail)
	if err != nil {
		return // of strings only: it cannot fail
	}
	cause := m.Actor
	if m.Reference != "" {
		cause += " " + m.Reference
	}
	c.brands = append(c.brands, m.Wallet.Brand)
	c.subjects = append(c.subjects, string(m.Kind)+" "+m.ExternalID+" "+wallet)
	c.kinds = append(c.kinds, string(kind))
	c.causes = append(c.causes, cause)
	c.details = append(c.details, string(text))
}

// caseOf says which case a refusal is, and what differs.
func caseOf(m *Movement, err error) (caseKind, caseDetail) {
	var conflict *walletcore.ConflictError
	if errors.As(err, &conflict) {
		detail := caseDetail{Field: conflict.Field, Stored: conflict.Stored, Given: conflict.Given}
		if conflict.Field == "user" {
			detail.Stored, detail.Given = "", ""
		}
		return caseConflict, detail
	}
	var refused *walletcore.RefusedError
	if !errors.As(err, &refused) {
		return "", caseDetail{}
	}
	switch {
	case refused.Code == walletcore.RefusedOverflow:
		return caseOverflow, caseDetail{Reason: refused.Detail}
	case refused.Code == walletcore.RefusedNoFunds && m.Kind == walletcore.KindWinReversal:
		return caseReversal, caseDetail{Reason: refused.Detail}
	}
	return "", caseDetail{}
}
