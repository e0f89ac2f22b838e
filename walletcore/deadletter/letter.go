package deadletter

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"time"

	"github.com/walletctl/walletctl/walletcore/pgtx"
)

// MaxBody is how much of a body is kept, in bytes. A longer one is cut.
const MaxBody = 1 << 20

// State is what became of a letter.
type State string

// The states.
const (
	Kept         State = "kept"          // waits for a person
	RequeueAsked State = "requeue_asked" // waits to be sent
	Requeued     State = "requeued"      // was sent to its queue again
	Discarded    State = "discarded"     // a person said that nothing is to be done
)

// States lists all states.
func States() []State { return []State{Kept, RequeueAsked, Requeued, Discarded} }

// Letter is a message that a queue gave up on.
type Letter struct {
	ID            int64  // given by the store
	Queue         string // that gave it up
	Exchange      string // that it was published to
	Key           string
	MessageID     string
	Type          string
	CorrelationID string
	UserID        string // who sent it first; empty where nobody said
	ContentType   string
	SentAt        time.Time // zero where the message does not say
	Reason        string
	Deaths        int // at least 1
	FirstDeathAt  time.Time
	LastDeathAt   time.Time
	Headers       json.RawMessage // an object that PostgreSQL takes
	Body          []byte
	// Cut: not all of it can be kept, apart from what is too long for the store.
	Cut bool
}

// digest is the same for the same death of the same message only.
func (l *Letter) digest() [sha256.Size]byte {
	h := sha256.New()
	for _, part := range [][]byte{
		[]byte(l.Queue), []byte(l.Exchange), []byte(l.Key), []byte(l.MessageID), []byte(l.Type), []byte(l.CorrelationID),
		[]byte(l.UserID), []byte(l.ContentType), l.Headers, l.Body,
	} {
		var length [8]byte
		binary.BigEndian.PutUint64(length[:], uint64(len(part)))
		h.Write(length[:])
		h.Write(part)
	}
	return [sha256.Size]byte(h.Sum(nil))
}

// fit makes the letter one that the table takes, and says in Cut whether
// anything got lost by that.
func (l *Letter) fit() {
	for _, text := range []*string{
		&l.Queue, &l.Exchange, &l.Key, &l.MessageID, &l.Type, &l.CorrelationID, &l.UserID, &l.ContentType,
	} {
		fits := pgtx.Clip(*text)
		l.Cut = l.Cut || fits != *text
		*text = fits
	}
	l.Reason = pgtx.Clip(l.Reason)
	l.Deaths = max(l.Deaths, 1)
	if len(l.Headers) == 0 {
		l.Headers = json.RawMessage(`{}`)
	}
	if year := l.SentAt.Year(); year < 1970 || year > 9999 {
		l.SentAt = time.Time{}
	}
	if len(l.Body) > MaxBody {
		l.Cut, l.Body = true, l.Body[:MaxBody]
	}
}
