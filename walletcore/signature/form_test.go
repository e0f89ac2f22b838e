package signature_test

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/walletcore/signature"
)

var (
	secret = []byte("the-secret-of-acme-games")
	body   = []byte(`{"amount":  1.0,"s":"\/\u00E9"}`)
)

func digest(body []byte) []byte {
	mac := hmac.New(sha256.New, secret)
	mac.Write(body)
	return mac.Sum(nil)
}

func verify(form signature.Form, body []byte, values ...string) error {
	return form.Verify(http.Header{http.CanonicalHeaderKey(form.Header): values}, body,
		[][]byte{[]byte("a secret that is going out"), secret})
}

func TestForm_ReadsTheHeaderAsItsPartyWritesIt(t *testing.T) {
	t.Parallel()
	sum := digest(body)
	lower, upper, b64 := hex.EncodeToString(sum), strings.ToUpper(hex.EncodeToString(sum)), base64.StdEncoding.EncodeToString(sum)
	for _, c := range []struct {
		form  signature.Form
		value string
		want  error
	}{
		{signature.Form{Encoding: signature.Hex}, lower, nil},
		{signature.Form{Encoding: signature.Hex}, upper, nil},
		{signature.Form{Encoding: signature.Hex}, b64, signature.ErrMalformed},
		{signature.Form{Encoding: signature.Base64}, b64, nil},
		{signature.Form{Encoding: signature.Base64}, lower, signature.ErrMalformed},
		{signature.Form{Encoding: signature.Hex, Prefix: "sha256="}, "SHA256=" + lower, nil},
		{signature.Form{Encoding: signature.Hex, Prefix: "sha256="}, lower, signature.ErrMalformed},
		{signature.Form{Encoding: signature.Hex, Prefix: "sha256=", Bare: true}, lower, nil},
		{signature.Form{Encoding: signature.Hex, Prefix: "sha256="}, "sha256= " + lower, signature.ErrMalformed},
		{signature.Form{Encoding: signature.Hex, Prefix: "sha256= "}, "sha256= " + lower, nil},
		{signature.Form{Encoding: signature.Hex}, lower[:63], signature.ErrMalformed},
		{signature.Form{Encoding: signature.Hex}, "zz" + lower[2:], signature.ErrMalformed},
		{signature.Form{Encoding: signature.Hex}, strings.Repeat("0", 1<<20), signature.ErrMalformed},
		{signature.Form{Encoding: signature.Hex}, strings.Repeat("0", 64), signature.ErrMismatch},
		{signature.Form{Encoding: signature.Hex}, "", signature.ErrMissing},
	} {
		c.form.Header = "X-Sign"
		require.ErrorIs(t, verify(c.form, body, c.value), c.want, "%+v %.80q", c.form, c.value)
	}
}

func TestForm_VerifiesTheBytesAsReceived(t *testing.T) {
	t.Parallel()
	form := signature.Form{Header: "X-Sign", Encoding: signature.Hex}
	value := hex.EncodeToString(digest(body))
	require.NoError(t, verify(form, body, value))
	require.ErrorIs(t, verify(form, []byte(strings.Replace(string(body), "  ", " ", 1)), value), signature.ErrMismatch)
	require.ErrorIs(t, verify(form, body, value, value), signature.ErrRepeated)
	require.ErrorIs(t, form.Verify(http.Header{}, body, [][]byte{secret}), signature.ErrMissing)
	require.ErrorIs(t, form.Verify(http.Header{"X-Sign": {value}}, body, nil), signature.ErrMismatch)
}

func TestForm_ValidateRefusesWhatVerifiesNothing(t *testing.T) {
	t.Parallel()
	for _, form := range []signature.Form{
		{Encoding: signature.Hex},
		{Header: "X Sign", Encoding: signature.Hex},
		{Header: "X-Sign"},
		{Header: "X-Sign", Encoding: "base32"},
		{Header: "X-Sign", Encoding: signature.Hex, Prefix: strings.Repeat("x", 33)},
	} {
		require.Error(t, form.Validate(), "%+v", form)
	}
}

// FuzzVerify: no header that was not made with the secret opens the door.
func FuzzVerify(f *testing.F) {
	value := hex.EncodeToString(digest(body))
	f.Add(value)
	f.Add("HMAC-SHA256 " + value)
	f.Add(base64.StdEncoding.EncodeToString(digest(body)))
	f.Fuzz(func(t *testing.T, header string) {
		for _, encoding := range []signature.Encoding{signature.Hex, signature.Base64} {
			form := signature.Form{Header: "X-Sign", Encoding: encoding, Prefix: "HMAC-SHA256 ", Bare: true}
			if verify(form, body, header) != nil {
				continue
			}
			bare := header
			if len(bare) > 12 && strings.EqualFold(bare[:12], form.Prefix) {
				bare = bare[12:]
			}
			require.True(t, strings.EqualFold(bare, value) || bare == base64.StdEncoding.EncodeToString(digest(body)))
		}
	})
}
