package gateway_test

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"strconv"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/walletcore"
	"github.com/walletctl/walletctl/walletcore/gateway"
)

var (
	now       = time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)
	secret    = []byte("whsec_0123456789abcdef")
	newSecret = []byte("whsec_fedcba9876543210")
	secrets   = [][]byte{secret, newSecret}

	byValue = cmpopts.EquateComparable(walletcore.Money{})
)

func dialect(t testing.TB, name string) gateway.Dialect {
	t.Helper()
	d, ok := gateway.DialectByName(name)
	require.True(t, ok)
	return d
}

func sum(secret []byte, message string) string {
	mac := hmac.New(sha256.New, secret)
	mac.Write([]byte(message))
	return hex.EncodeToString(mac.Sum(nil))
}

func stripeHeaderOf(at time.Time, secret, body []byte) string {
	unix := strconv.FormatInt(at.Unix(), 10)
	return "t=" + unix + ",v1=" + sum(secret, unix+"."+string(body))
}

func headers(name string, values ...string) http.Header {
	return http.Header{http.CanonicalHeaderKey(name): values}
}
