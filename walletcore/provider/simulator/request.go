package simulator

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"net/url"

	"github.com/walletctl/walletctl/walletcore/signature"
)

// request is a message, signed: sent again it is the same to the last byte.
type request struct {
	url       string
	operation string
	header    string
	signature string
	body      []byte
}

// newRequest signs a message, a forged one with another secret. What is encoded
// are structs of this package, which JSON can hold.
func newRequest(o *Options, form *signature.Form, m message, forged bool) *request {
	body, err := json.Marshal(m.body)
	if err != nil {
		panic(err)
	}
	secret := o.Secret
	if forged {
		secret = append([]byte("not "), secret...)
	}
	return &request{
		url:       o.URL + "/providers/" + url.PathEscape(o.Brand) + "/" + url.PathEscape(o.Provider) + "/" + m.operation,
		operation: m.operation, header: form.Header, signature: sign(form, secret, body), body: body,
	}
}

// sign is the header's value: HMAC-SHA256 over the raw body.
func sign(form *signature.Form, secret, body []byte) string {
	mac := hmac.New(sha256.New, secret)
	mac.Write(body)
	if form.Encoding == signature.Base64 {
		return form.Prefix + base64.StdEncoding.EncodeToString(mac.Sum(nil))
	}
	return form.Prefix + hex.EncodeToString(mac.Sum(nil))
}
