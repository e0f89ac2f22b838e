package gateway_test

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/walletcore"
	"github.com/walletctl/walletctl/walletcore/gateway"
)

// stripeSDK is the version of the npm package whose helper signs.
const stripeSDK = "23.1.0"

// installStripe returns a folder with the SDK, kept between runs.
func installStripe(t *testing.T) string {
	t.Helper()
	npm, err := exec.LookPath("npm")
	if err != nil {
		t.Skip("npm is not installed: the check against the official Stripe SDK is skipped")
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		cache = t.TempDir()
	}
	dir := filepath.Join(cache, "walletctl-test", "stripe-"+stripeSDK)
	if _, err := os.Stat(filepath.Join(dir, "node_modules", "stripe", "package.json")); err == nil {
		return dir
	}
	// Installed beside and moved into place, so that a half install is never
	// taken for a whole one.
	require.NoError(t, os.MkdirAll(filepath.Dir(dir), 0o755))
	fresh, err := os.MkdirTemp(filepath.Dir(dir), "install-")
	require.NoError(t, err)
	install := exec.CommandContext(t.Context(), npm, "install", "--prefix", fresh, "--no-save", "--no-audit",
		"--no-fund", "--ignore-scripts", "stripe@"+stripeSDK)
	output, err := install.CombinedOutput()
	require.NoError(t, err, string(output))
	if err := os.Rename(fresh, dir); err != nil { // another run was faster, or left an unusable one
		return fresh
	}
	return dir
}

// signWithSDK returns the header of each payload.
func signWithSDK(t *testing.T, payloads [][]byte, key []byte, at time.Time) []string {
	t.Helper()
	type request struct {
		Payload   string `json:"payload"`
		Secret    string `json:"secret"`
		Timestamp int64  `json:"timestamp"`
	}
	var requests []request
	for _, payload := range payloads {
		requests = append(requests, request{string(payload), string(key), at.Unix()})
	}
	input, err := json.Marshal(requests)
	require.NoError(t, err)
	sign := exec.CommandContext(t.Context(), "node", filepath.Join("testdata", "stripe-sign.cjs"), installStripe(t))
	sign.Stdin = bytes.NewReader(input)
	var problems bytes.Buffer
	sign.Stderr = &problems
	output, err := sign.Output()
	require.NoError(t, err, problems.String())
	var signatures []string
	require.NoError(t, json.Unmarshal(output, &signatures))
	require.Len(t, signatures, len(payloads))
	return signatures
}

func TestStripe_WebhooksOfTheOfficialSDKAreAccepted(t *testing.T) {
	t.Parallel()
	payloads := [][]byte{
		[]byte(stripeEvent("payment_intent.succeeded", `{"object":"payment_intent","id":"pi_\u00fc1","amount_received":5000,
			"currency":"eur","metadata":{"deposit_id":"dep_1","note":"Zażółć \u001b gęślą 🎰 \/"}}`)),
		[]byte(stripeEvent("checkout.session.completed", `{"object":"checkout.session","id":"cs_1","payment_status":"paid",
			"client_reference_id":"dep_1", "payment_intent":"pi_ü1",   "amount_total":5000,"currency":"eur"}`)),
	}
	for i, signature := range signWithSDK(t, payloads, newSecret, now) {
		require.Equal(t, stripeHeaderOf(now, newSecret, payloads[i]), signature, "our tests sign as the SDK does")
		header := headers("Stripe-Signature", signature)
		require.NoError(t, dialect(t, "stripe").Verify(header, payloads[i], secrets, now.Add(time.Minute)))

		got, err := dialect(t, "stripe").Parse(payloads[i], received)
		require.NoError(t, err)
		require.Equal(t, walletcore.PaymentConfirmed, got[0].Status)
		require.Equal(t, "dep_1", got[0].DepositID)
		require.Equal(t, "pi_ü1", got[0].PaymentID)
		require.Equal(t, walletcore.MustParseMoney("50"), got[0].Amount)

		tampered := bytes.Replace(payloads[i], []byte("5000"), []byte("9000"), 1)
		require.ErrorIs(t, dialect(t, "stripe").Verify(header, tampered, secrets, now), gateway.ErrSignatureMismatch)
		err = dialect(t, "stripe").Verify(header, payloads[i], secrets, now.Add(301*time.Second))
		require.ErrorIs(t, err, gateway.ErrSignatureStale)
		err = dialect(t, "stripe").Verify(header, payloads[i], [][]byte{secret}, now)
		require.ErrorIs(t, err, gateway.ErrSignatureMismatch)
	}
}
