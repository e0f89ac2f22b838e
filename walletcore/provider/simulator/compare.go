package simulator

import (
	"fmt"

	"github.com/walletctl/walletctl/walletcore/provider"
)

// compare says what is wrong with an answer, or nil. The ids of transactions
// are looked at later, when the order of the calls is settled.
func (s *session) compare(v *verdict, c *sent) *mismatch {
	got := &c.got
	switch {
	case got.lost != nil:
		return &mismatch{Unanswered, s.expected(v), got.lost.Error()}
	case got.unreadable != nil:
		return &mismatch{Unreadable, s.expected(v), fmt.Sprintf("answer %d: %v", got.status, got.unreadable)}
	case v.reason == "" && !got.success:
		return &mismatch{refusalOf(v), s.expected(v), got.String()}
	case v.reason != "" && got.success:
		return &mismatch{Success, s.expected(v), got.String()}
	case v.reason != "" && s.code(v.reason) != (provider.Code{Status: got.status, Code: got.code}):
		return &mismatch{WrongCode, s.expected(v), got.String()}
	}
	return s.compareBalance(v, got)
}

func refusalOf(v *verdict) Kind {
	if v.replayed {
		return DuplicateRefused
	}
	return Refusal
}

func (s *session) compareBalance(v *verdict, got *outcome) *mismatch {
	switch {
	case got.balance == nil && (got.success || s.traits.balanceOn(v.reason)):
		return &mismatch{Unreadable, s.expected(v), got.String() + " without a balance"}
	case got.balance == nil || *got.balance == v.balance || v.reason == provider.BadSignature:
		return nil
	case v.replayed && v.reason == "" && *got.balance == v.other:
		return &mismatch{DuplicateBalance, s.expected(v), got.String()}
	case v.moved:
		return &mismatch{Balance, s.expected(v), got.String()}
	}
	return &mismatch{Moved, s.expected(v), got.String()}
}

func (s *session) code(reason provider.Reason) provider.Code {
	return s.traits.code(s.run.options, reason)
}

// expected tells people what the contract answers.
func (s *session) expected(v *verdict) string {
	balance := "balance " + v.balance.String()
	if v.reason == "" {
		return "success, " + balance
	}
	code := s.code(v.reason)
	return fmt.Sprintf("refused as %s with %d, code %s, %s", v.reason, code.Status, code.Code, balance)
}

// String tells people what the service answered.
func (a *answer) String() string {
	text := "success"
	if !a.success {
		text = fmt.Sprintf("refused with %d, code %s", a.status, a.code)
	}
	if a.balance != nil {
		text += ", balance " + a.balance.String()
	}
	return text
}

// learn compares the ids of ours in an answer with those of the first time.
func (s *session) learn(call *Call, v *verdict, a *answer) *mismatch {
	for i, id := range a.ids {
		record, given := v.records[i], call.Actions[i].ID
		if first := record.ids[given]; first != "" && first != id {
			return &mismatch{TransactionID, "the id of the first time, " + first, id}
		}
		if other := s.seen[id]; other != nil && other != record {
			return &mismatch{TransactionID, "an id that no other movement has", id}
		}
		record.ids[given], s.seen[id] = id, record
	}
	return nil
}
