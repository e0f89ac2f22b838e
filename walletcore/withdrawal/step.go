package withdrawal

import (
	"github.com/riverqueue/river"

	"github.com/walletctl/walletctl/walletcore/casework"
	"github.com/walletctl/walletctl/walletcore/job"
)

// step is one part of a withdrawal's way that a job has to do.
type step struct {
	name      string
	from      Status        // where a withdrawal waits for it
	column    string        // of the job's id
	open      string        // what else is true while it is not done, in SQL
	failed    EventKind     // an attempt failed
	exhausted casework.Kind // and it was the last one
	invalid   casework.Kind // or the answer can never change
	given     string        // why there is a case, for people
	lane      string
	args      func(id string) river.JobArgs
}

var (
	debiting = step{
		name: "debit", from: Requested, column: "debit_job_id", open: "true", failed: EventDebitFailed,
		exhausted: CaseDebitExhausted, invalid: CaseDebitInvalid,
		given: "no attempt to debit it succeeded; one may have gone through",
		lane:  laneDebit, args: func(id string) river.JobArgs { return debitArgs{id} },
	}
	payingOut = step{
		name: "pay out", from: Debited, column: "payout_job_id", open: "payout_requested_at is null",
		failed: EventPayoutFailed, exhausted: CasePayoutExhausted, invalid: CasePayoutExhausted,
		given: "it is debited and its payout could not be asked for",
		lane:  lanePayout, args: func(id string) river.JobArgs { return payoutArgs{id} },
	}
	reversing = step{
		name: "reverse", from: Rejected, column: "reversal_job_id", open: "true", failed: EventReversalFailed,
		exhausted: CaseReversalExhausted, invalid: CaseReversalInvalid,
		given: "it is rejected and its money was not given back",
		lane:  laneReversal, args: func(id string) river.JobArgs { return reversalArgs{id} },
	}
)

// caseKind is the case that the last failure opens.
func (s step) caseKind(c job.ErrorClass) casework.Kind {
	switch c {
	case job.ClassConflict:
		return CaseKeyConflict
	case job.ClassInvalid:
		return s.invalid
	}
	return s.exhausted
}
