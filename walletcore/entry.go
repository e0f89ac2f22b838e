package walletcore

import (
	"encoding/json"
	"time"

	"github.com/google/uuid"
)

// Entry is one link of a wallet's chain, as written.
type Entry struct {
	WalletID    uuid.UUID
	Seq         int64 // without holes; 0 is the opening
	Kind        Kind
	ExternalID  string
	Mark        Mark // empty where the movement did what its kind does
	RealBefore  Money
	RealAfter   Money
	BonusBefore Money
	BonusAfter  Money
	Reference   string          // empty where there is none
	RoundID     string          // empty where there is none
	Actor       string          // the service or person that asked
	Details     json.RawMessage // kept byte for byte, without personal data; nil where there are none
	OccurredAt  time.Time       // when its producer says it happened, UTC, microseconds
	RecordedAt  time.Time       // when it was written, UTC, microseconds; orders nothing
	Hash        [HashSize]byte  // over the previous hash and every field above and KeyID
	KeyID       int16           // the key of Hash
}

// Real returns the change of the real balance.
func (e *Entry) Real() Money { return e.RealAfter.Sub(e.RealBefore) }

// Bonus returns the change of the bonus balance.
func (e *Entry) Bonus() Money { return e.BonusAfter.Sub(e.BonusBefore) }

// Moved returns the change of both balances.
func (e *Entry) Moved() Parts { return Parts{Real: e.Real(), Bonus: e.Bonus()} }

// Receipt is the lasting answer to a movement: equal the first time and every
// time after.
type Receipt struct {
	WalletID    uuid.UUID `json:"wallet_id"`
	Seq         int64     `json:"seq"`
	Kind        Kind      `json:"kind"`
	ExternalID  string    `json:"external_id"`
	Mark        Mark      `json:"mark,omitempty"`
	RealBefore  Money     `json:"real_before"`
	RealAfter   Money     `json:"real_after"`
	BonusBefore Money     `json:"bonus_before"`
	BonusAfter  Money     `json:"bonus_after"`
	RecordedAt  time.Time `json:"recorded_at"`
}

// Receipt returns the receipt of e.
func (e *Entry) Receipt() Receipt {
	return Receipt{
		WalletID:    e.WalletID,
		Seq:         e.Seq,
		Kind:        e.Kind,
		ExternalID:  e.ExternalID,
		Mark:        e.Mark,
		RealBefore:  e.RealBefore,
		RealAfter:   e.RealAfter,
		BonusBefore: e.BonusBefore,
		BonusAfter:  e.BonusAfter,
		RecordedAt:  e.RecordedAt,
	}
}

// Moved returns the change of both balances.
func (r *Receipt) Moved() Parts {
	return Parts{Real: r.RealAfter.Sub(r.RealBefore), Bonus: r.BonusAfter.Sub(r.BonusBefore)}
}
