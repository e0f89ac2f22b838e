package httpapi

import (
	"bytes"
	"crypto/sha256"
	"crypto/subtle"
	"net/http"
	"strings"

	"github.com/walletctl/walletctl/walletcore"
)

// MinToken is the least length of a service token in bytes.
const MinToken = 16

// Tokens are the service tokens and the brands they belong to. Only hashes are
// kept, so that no dump or log shows a token. The zero value lets nobody in.
type Tokens struct {
	entries []tokenEntry
}

type tokenEntry struct {
	name  string
	brand string
	hash  [sha256.Size]byte
}

// caller is who a token stands for.
type caller struct {
	name  string
	brand string
}

// Add refuses a token that is short, and a name or a token that stands there
// already: one token cannot be two brands'. The error is a
// *walletcore.FieldError and never holds the token.
func (t *Tokens) Add(name, brand string, token []byte) error {
	if err := walletcore.CheckID("name", name, walletcore.MaxName); err != nil {
		return err
	}
	if err := walletcore.CheckID("brand", brand, walletcore.MaxName); err != nil {
		return err
	}
	if reason := checkToken(token); reason != "" {
		return &walletcore.FieldError{Field: "token", Reason: reason}
	}
	hash := sha256.Sum256(token)
	for _, entry := range t.entries {
		if entry.name == name {
			return &walletcore.FieldError{Field: "name", Reason: "stands twice"}
		}
		if entry.hash == hash {
			return &walletcore.FieldError{Field: "token", Reason: "is the same as that of " + entry.name}
		}
	}
	t.entries = append(t.entries, tokenEntry{name: name, brand: brand, hash: hash})
	return nil
}

// checkToken refuses what could not stand in a header as it is.
func checkToken(token []byte) string {
	if len(bytes.TrimSpace(token)) < MinToken {
		return "is empty or shorter than 16 bytes"
	}
	for _, c := range token {
		if c <= ' ' || c > '~' {
			return "holds a character that cannot stand in a header"
		}
	}
	return ""
}

// Len returns the number of tokens.
func (t *Tokens) Len() int { return len(t.entries) }

// authenticate returns whom the request's bearer token stands for. It compares
// hashes, with every entry and in constant time, so that an answer's delay
// tells nothing about a token.
func (t *Tokens) authenticate(h http.Header) (caller, bool) {
	values := h.Values("Authorization")
	if len(values) != 1 {
		return caller{}, false
	}
	scheme, token, _ := strings.Cut(values[0], " ")
	if !strings.EqualFold(scheme, "Bearer") {
		return caller{}, false
	}
	given := sha256.Sum256([]byte(token))
	found, who := false, caller{}
	for _, entry := range t.entries {
		if subtle.ConstantTimeCompare(entry.hash[:], given[:]) == 1 {
			found, who = true, caller{name: entry.name, brand: entry.brand}
		}
	}
	return who, found
}
