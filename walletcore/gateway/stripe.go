package gateway

import (
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/walletctl/walletctl/walletcore/signature"
)

const (
	stripeHeader      = "Stripe-Signature"
	stripeHeaderLimit = 1024 // room for the signatures of 14 live secrets
	stripeTolerance   = 300 * time.Second
)

// stripe is the dialect of Stripe's webhooks for Checkout sessions and payment
// intents.
type stripe struct {
	tolerance time.Duration
}

// WithTolerance implements [Tolerant]; 300 s is the default.
func (stripe) WithTolerance(tolerance time.Duration) Dialect { return stripe{tolerance: tolerance} }

// Verify implements [Dialect]: the header holds a time t and one or more v1,
// each the HMAC-SHA256, under one of the endpoint's secrets, of t, a dot and
// the raw body. Secrets are used as they are shown, with their prefix.
func (s stripe) Verify(h http.Header, body []byte, secrets [][]byte, now time.Time) error {
	header, err := signature.Header(h, stripeHeader, stripeHeaderLimit)
	if err != nil {
		return err
	}
	signed, digests, err := parseStripeHeader(header)
	if err != nil {
		return err
	}
	if !signature.Matches(digests, secrets, []byte(signed), []byte("."), body) {
		return ErrSignatureMismatch
	}
	return s.checkTime(signed, now)
}

// parseStripeHeader returns the time as it was signed and the digests of the
// scheme v1. Other schemes are skipped, as is a v1 that is no digest.
func parseStripeHeader(header string) (signed string, digests [][]byte, err error) {
	for pair := range strings.SplitSeq(header, ",") {
		key, value, ok := strings.Cut(pair, "=")
		switch {
		case !ok, key == "t" && (signed != "" || !isUnixTime(value)):
			return "", nil, ErrSignatureMalformed
		case key == "t":
			signed = value
		case key == "v1":
			if digest, ok := signature.DecodeHex(value); ok {
				digests = append(digests, digest)
			}
		}
	}
	if signed == "" || len(digests) == 0 {
		return "", nil, ErrSignatureMalformed
	}
	return signed, digests, nil
}

func isUnixTime(text string) bool {
	for i := range len(text) {
		if text[i] < '0' || text[i] > '9' {
			return false
		}
	}
	return text != "" && len(text) <= 12
}

// checkTime looks in both directions: a time ahead of ours would stretch how
// long a stolen request stays good.
func (s stripe) checkTime(signed string, now time.Time) error {
	seconds, err := strconv.ParseInt(signed, 10, 64)
	if err != nil {
		return ErrSignatureMalformed
	}
	if now.Sub(time.Unix(seconds, 0)).Abs() > s.tolerance {
		return ErrSignatureStale
	}
	return nil
}
