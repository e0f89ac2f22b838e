package httpapi

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"

	"github.com/walletctl/walletctl/walletcore"
	"github.com/walletctl/walletctl/walletcore/deposit"
	"github.com/walletctl/walletctl/walletcore/withdrawal"
)

// problem is an error as its caller gets it.
type problem struct {
	status  int
	Code    string `json:"code"`            // stable, for programs
	Field   string `json:"field,omitempty"` // the field or header that is wrong
	Message string `json:"message"`         // for people
}

func (p *problem) Error() string { return p.Message }

var (
	errUnauthorized = &problem{
		status: http.StatusUnauthorized, Code: "unauthorized",
		Message: "send one header \"Authorization: Bearer <service token>\" with a token that is valid here",
	}
	errTooLarge = &problem{
		status: http.StatusRequestEntityTooLarge, Code: "too_large", Message: "the body is larger than 64 KiB",
	}
	errUnreadable = &problem{
		status: http.StatusBadRequest, Code: "unreadable", Message: "the body could not be read",
	}
	errMediaType = &problem{
		status: http.StatusUnsupportedMediaType, Code: "unsupported_media_type", Field: "Content-Type",
		Message: "send the body as application/json",
	}
	errForeignBrand = &problem{
		status: http.StatusForbidden, Code: "forbidden", Field: "brand",
		Message: "brand is not the one that the service token belongs to",
	}
	errNotFound = &problem{
		status: http.StatusNotFound, Code: "not_found", Message: "there is no such deposit",
	}
	errNoWithdrawal = &problem{
		status: http.StatusNotFound, Code: "not_found", Message: "there is no such withdrawal",
	}
	errUnavailable = &problem{
		status: http.StatusServiceUnavailable, Code: "unavailable",
		Message: "it could not be done now, or its outcome is unknown; send the same request again",
	}
)

// problemOf finds the answer to an error. The second result is false for an
// error that the caller did not cause: somebody here has to see it.
func problemOf(err error) (*problem, bool) {
	var known *problem
	var field *walletcore.FieldError
	var deposited *deposit.ConflictError
	var withdrawn *withdrawal.ConflictError
	switch {
	case errors.As(err, &known):
		return known, true
	case errors.As(err, &field):
		return invalid(field), true
	case errors.As(err, &deposited):
		return conflict("deposit", deposited.Field), true
	case errors.As(err, &withdrawn):
		return conflict("withdrawal", withdrawn.Field), true
	case errors.Is(err, deposit.ErrNotFound):
		return errNotFound, true
	case errors.Is(err, withdrawal.ErrNotFound):
		return errNoWithdrawal, true
	case errors.Is(err, context.Canceled):
		return errUnavailable, true
	}
	return errUnavailable, false
}

func conflict(what, field string) *problem {
	return &problem{
		status: http.StatusConflict, Code: "conflict", Field: field,
		Message: "this Idempotency-Key was used for a " + what + " with another " + field,
	}
}

// invalid tells a body that is no request at all (400) from a request with a
// field that is wrong (422).
func invalid(err *walletcore.FieldError) *problem {
	p := &problem{status: http.StatusUnprocessableEntity, Code: "invalid_field", Field: err.Field, Message: err.Error()}
	switch err.Field {
	case "body":
		p.status, p.Code, p.Field = http.StatusBadRequest, "malformed_body", ""
	case keyField:
		p.status, p.Code, p.Field = http.StatusBadRequest, "invalid_header", keyHeader
		p.Message = keyHeader + " " + err.Reason
	}
	return p
}

func writeProblem(w http.ResponseWriter, p *problem) {
	switch p.status {
	case http.StatusUnauthorized:
		w.Header().Set("WWW-Authenticate", "Bearer")
	case http.StatusServiceUnavailable:
		w.Header().Set("Retry-After", "5")
	}
	writeJSON(w, p.status, map[string]*problem{"error": p})
}

func writeJSON(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	// The client may be gone; there is nobody left to tell.
	_ = json.NewEncoder(w).Encode(body)
}
