package walletcore

import (
	"encoding/binary"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/google/uuid"
)

// Limits of identifiers, in bytes.
const (
	// MaxGivenID is the longest id that an outside party may give.
	MaxGivenID = 255
	// MaxExternalID adds room for the prefix of at most 64 bytes that names
	// the giver, and a colon.
	MaxExternalID = MaxGivenID + 65
	// MaxName is the longest brand id.
	MaxName = 64
)

// walletNamespace is the UUID version 5 namespace of wallet ids. It never
// changes: every wallet id derives from it.
var walletNamespace = uuid.MustParse("5b9c5f0a-3f0e-5d4e-9c9f-6f2d1c7a8e10")

// WalletKey names a wallet by what it belongs to.
type WalletKey struct {
	Brand    string `json:"brand"`
	User     string `json:"user"`
	Currency string `json:"currency"`
}

// ID derives the wallet's id: UUID version 5 over the three parts, each behind
// its length, so that ("ab", "c") and ("a", "bc") differ. No look-up is needed,
// and the primary key keeps the triple unique.
func (k WalletKey) ID() uuid.UUID {
	var name []byte
	for _, part := range []string{k.Brand, k.User, k.Currency} {
		name = binary.BigEndian.AppendUint32(name, uint32(len(part)))
		name = append(name, part...)
	}
	return uuid.NewSHA1(walletNamespace, name)
}

// Validate refuses a key with a missing or malformed part. The error is a
// *FieldError.
func (k WalletKey) Validate() error {
	if err := CheckID("brand", k.Brand, MaxName); err != nil {
		return err
	}
	if err := CheckID("user", k.User, MaxGivenID); err != nil {
		return err
	}
	return CheckCurrency(k.Currency)
}

// String formats the key for people: brand/user/currency.
func (k WalletKey) String() string { return k.Brand + "/" + k.User + "/" + k.Currency }

// CheckID refuses an identifier that is empty, longer than limit bytes, not
// UTF-8, holds a control character, or begins or ends with a blank. Ids are
// opaque: what passes is kept byte for byte, never trimmed or folded. The error
// is a *FieldError.
func CheckID(field, id string, limit int) error {
	reason := ""
	switch {
	case strings.TrimSpace(id) == "":
		reason = "must not be empty"
	case len(id) > limit:
		reason = fmt.Sprintf("is longer than %d bytes", limit)
	case !utf8.ValidString(id):
		reason = "is not valid UTF-8"
	case strings.ContainsFunc(id, unicode.IsControl):
		reason = "holds a control character"
	case strings.TrimSpace(id) != id:
		reason = "begins or ends with a blank"
	}
	if reason != "" {
		return &FieldError{Field: field, Reason: reason}
	}
	return nil
}
