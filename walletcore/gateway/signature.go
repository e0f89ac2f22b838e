package gateway

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
)

// singleHeader returns the one value of a signature header. A header that
// stands twice is refused: which of the two a proxy in between believed is
// unknown.
func singleHeader(h http.Header, name string, limit int) (string, error) {
	values := h.Values(name)
	switch {
	case len(values) == 0 || len(values) == 1 && values[0] == "":
		return "", ErrSignatureMissing
	case len(values) > 1:
		return "", ErrSignatureRepeated
	case len(values[0]) > limit:
		return "", ErrSignatureMalformed
	}
	return values[0], nil
}

// decodeDigest reads 32 bytes written as hex of any case.
func decodeDigest(text string) ([]byte, bool) {
	if len(text) != hex.EncodedLen(sha256.Size) {
		return nil, false
	}
	digest, err := hex.DecodeString(text)
	return digest, err == nil
}

// matches reports whether one of the digests is the HMAC-SHA256 of the parts,
// one after the other, under one of the secrets. Every pair is compared, each
// in constant time.
func matches(digests, secrets [][]byte, parts ...[]byte) bool {
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
