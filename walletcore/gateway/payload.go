package gateway

import (
	"errors"

	"github.com/walletctl/walletctl/walletcore"
)

// movesMoney reports whether the amount of a notification matters.
func movesMoney(status walletcore.PaymentStatus) bool {
	switch status {
	case walletcore.PaymentConfirmed, walletcore.PaymentChargeback, walletcore.PaymentPaid:
		return true
	}
	return false
}

// payloadError turns what a reader found into the error of [Dialect.Parse].
func payloadError(err error) error {
	var field *walletcore.FieldError
	if errors.As(err, &field) {
		return &PayloadError{Field: field.Field, Reason: field.Reason}
	}
	return &PayloadError{Field: "body", Reason: "cannot be read"}
}

// atField names the field that err, about some amount, is about. The text that
// an *walletcore.AmountError quotes is dropped.
func atField(field string, err error) error {
	var amount *walletcore.AmountError
	var other *walletcore.FieldError
	switch {
	case errors.As(err, &amount):
		return fault(field, amount.Reason)
	case errors.As(err, &other):
		return fault(field, other.Reason)
	}
	return err
}

func require(field, value string) error {
	if value == "" {
		return fault(field, "is missing")
	}
	return nil
}

func fault(field, reason string) error {
	return &walletcore.FieldError{Field: field, Reason: reason}
}
