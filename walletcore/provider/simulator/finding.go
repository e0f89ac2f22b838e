package simulator

// Kind is what an answer has against the contract.
type Kind string

// The kinds of findings.
const (
	// Unanswered: no answer, or none below 500, until the retries were out.
	Unanswered Kind = "unanswered"
	// Unreadable: the answer is not one of the dialect's.
	Unreadable Kind = "unreadable"
	// Refusal: what had to succeed was refused.
	Refusal Kind = "refusal"
	// DuplicateRefused: a call that succeeded before was refused when it came
	// again. Some providers then roll back what was good.
	DuplicateRefused Kind = "duplicate_refused"
	// Success: what had to be refused succeeded.
	Success Kind = "success"
	// WrongCode: it was refused, as it had to be, in other words than the
	// contract's.
	WrongCode Kind = "code"
	// TransactionID: a duplicate has another id than the first, or two movements
	// have the same.
	TransactionID Kind = "transaction_id"
	// DuplicateBalance: a duplicate shows the first balance where the contract
	// wants the current one, or the other way round.
	DuplicateBalance Kind = "duplicate_balance"
	// Moved: money moved with a call that may not move any: a duplicate, a
	// refused one, one that was rolled back before.
	Moved Kind = "moved"
	// Balance: the balance is not the one that follows from the answers.
	Balance Kind = "balance"
)

// Finding is one answer that breaks the contract.
type Finding struct {
	Kind     Kind     `json:"kind"`
	Scenario Scenario `json:"scenario"`
	Player   string   `json:"player"`
	Round    string   `json:"round"`
	// Operation of the URL, and the ids of the call's actions.
	Operation string   `json:"operation"`
	IDs       []string `json:"ids"`
	Expected  string   `json:"expected"`
	Got       string   `json:"got"`
	// Request is the body that was sent.
	Request string `json:"request"`
}

// mismatch is what is wrong with one answer.
type mismatch struct {
	kind          Kind
	expected, got string
}

// find reports a mismatch, if there is one.
func (s *session) find(scenario Scenario, call *Call, req *request, m *mismatch) {
	if m == nil {
		return
	}
	f := Finding{
		Kind: m.kind, Scenario: scenario, Player: s.wallet.user, Round: call.Round,
		Operation: req.operation, IDs: []string{}, Expected: m.expected, Got: m.got, Request: string(req.body),
	}
	for i := range call.Actions {
		f.IDs = append(f.IDs, call.Actions[i].ID)
	}
	s.found++
	s.run.report.find(f)
}
