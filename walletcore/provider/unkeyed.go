package provider

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"net/http"
	"regexp"
	"strings"
	"time"

	"github.com/walletctl/walletctl/walletcore"
)

// Unkeyed lets an older producer go on sending bets and wins without an id,
// until a deadline. Such a movement is keyed by a digest of the id of its
// message and of the whole content: the same message again gets its receipt, and
// two messages with equal content move twice.
//
// That is weaker than an id. The header is not signed, so whoever can read a
// signed call can send it again under another message id; and a message that is
// sent again under a new id, or with one byte changed, moves again.
type Unkeyed struct {
	// Until is the deadline: required. From then on such movements are refused.
	Until time.Time
	// MessageIDHeader names the header with the id of a message: required, as
	// the producer sets it, and the same when the message is sent again.
	MessageIDHeader string
}

// headerForm is what may name a header.
var headerForm = regexp.MustCompile(`^[A-Za-z0-9-]{1,64}$`)

func (o *ProfileOptions) checkUnkeyed(contract *Contract) (field, reason string) {
	u := o.Unkeyed
	if u == nil {
		return "", ""
	}
	form := contract.Signature
	if o.Signature != nil {
		form = *o.Signature
	}
	switch {
	case u.Until.IsZero():
		return "unkeyed", "needs a deadline: until"
	case !headerForm.MatchString(u.MessageIDHeader):
		return "unkeyed", "needs a message_id_header of 1 to 64 letters, digits and '-'"
	case strings.EqualFold(u.MessageIDHeader, form.Header):
		return "unkeyed", "must not take the signature for the id of a message: equal content has an equal one"
	}
	return "", ""
}

// messageID returns the id of a message. The error is a
// *walletcore.FieldError.
func (u *Unkeyed) messageID(header http.Header) (string, error) {
	values := header.Values(u.MessageIDHeader)
	switch len(values) {
	case 0:
		return "", &walletcore.FieldError{Field: u.MessageIDHeader, Reason: "is missing, and so is the id of the movement"}
	case 1:
		return values[0], walletcore.CheckID(u.MessageIDHeader, values[0], walletcore.MaxGivenID)
	}
	return "", &walletcore.FieldError{Field: u.MessageIDHeader, Reason: "is repeated"}
}

// unkeyedPrefix is how an id begins that stands for one which was not given.
const unkeyedPrefix = "unkeyed:"

// unkeyedForm is what no bet or win may have for an id of its own; what undoes
// one may name it.
var unkeyedForm = regexp.MustCompile(`^` + unkeyedPrefix + `[0-9a-f]{64}$`)

// message is a call without ids, as it came.
type message struct {
	id        string
	operation string
	body      []byte
}

// key is the id of the nth action. Each part stands behind its length, so that
// no two messages share one.
func (m *message) key(p *Profile, n int) string {
	sum := sha256.New()
	for _, part := range [][]byte{
		[]byte(p.Provider), []byte(p.Brand), []byte(m.id), []byte(m.operation), binary.AppendUvarint(nil, uint64(n)), m.body,
	} {
		sum.Write(binary.AppendUvarint(nil, uint64(len(part))))
		sum.Write(part)
	}
	return unkeyedPrefix + hex.EncodeToString(sum.Sum(nil))
}
