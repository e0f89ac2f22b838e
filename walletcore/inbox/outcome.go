package inbox

import "github.com/walletctl/walletctl/walletcore/casework"

// Result is what came of a message.
type Result string

// The results.
const (
	Applied    Result = "applied"     // it moved its deposit or withdrawal
	Skipped    Result = "skipped"     // already applied, or it would downgrade
	Unmatched  Result = "unmatched"   // what it is about is not there yet; looked for again later
	CaseOpened Result = "case_opened" // it cannot be applied; a person has to look
)

// Outcome is what came of a message, the first time and every time after.
type Outcome struct {
	Result    Result
	Reason    string        // for people; empty where it was applied
	SubjectID string        // the deposit's or withdrawal's id, as the message named it or its payment led to it; may be empty
	Case      casework.Kind // set with CaseOpened
	Duplicate bool          // this message was handled before; nothing was done now
}
