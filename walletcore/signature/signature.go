package signature

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"net/http"
)

// Header returns the one value of a signature header, at most limit bytes
// long. A header that stands twice is refused: which of the two a proxy in
// between believed is unknown.
func Header(h http.Header, name string, limit int) (string, error) {
	values := h.Values(name)
	switch {
	case len(values) == 0 || len(values) == 1 && values[0] == "":
		return "", ErrMissing
	case len(values) > 1:
		return "", ErrRepeated
	case len(values[0]) > limit:
		return "", ErrMalformed
	}
	return values[0], nil
}

// DecodeHex reads 32 bytes written as hex of any case.
func DecodeHex(text string) ([]byte, bool) {
	if len(text) != hex.EncodedLen(sha256.Size) {
		return nil, false
	}
	digest, err := hex.DecodeString(text)
	return digest, err == nil
}

// DecodeBase64 reads 32 bytes written in the standard alphabet, padded.
func DecodeBase64(text string) ([]byte, bool) {
	if len(text) != base64.StdEncoding.EncodedLen(sha256.Size) {
		return nil, false
	}
	digest, err := base64.StdEncoding.Strict().DecodeString(text)
	return digest, err == nil && len(digest) == sha256.Size
}

// Matches reports whether one of the digests is the HMAC-SHA256 of the parts,
// one after the other, under one of the secrets. Every pair is compared, each
// in constant time.
func Matches(digests, secrets [][]byte, parts ...[]byte) bool {
	found := false
	for _, secret := range secrets {
		mac := hmac.New(sha256.New, secret)
		for _, part := range parts {
			mac.Write(part)
		}
		sum := mac.Sum(nil)
		for _, digest := range digests {
			found = hmac.Equal(sum, digest) || found
		}
	}
	return found
}
