package rpc

import (
	"encoding/json"
	"errors"
	"fmt"
	"time"
	"unicode/utf8"

	"github.com/walletctl/walletctl/walletcore"
	"github.com/walletctl/walletctl/walletcore/broker"
)

// schemaVersion changes when a reader of the old shape would misread the new
// one. Added members do not change it.
const schemaVersion = 1

// request is the body of a call: the member that its type asks for is set.
type request struct {
	SchemaVersion int                         `json:"schema_version"`
	Credit        *walletcore.DepositCredit   `json:"credit,omitempty"`
	Withdrawal    *walletcore.WithdrawalOrder `json:"withdrawal,omitempty"`
	Bonus         *walletcore.BonusChange     `json:"bonus,omitempty"`
}

// message builds the call, to be answered until the deadline.
func (r *request) message(key string, deadline time.Time) (broker.Message, error) {
	body, err := json.Marshal(r)
	if err != nil {
		return broker.Message{}, fmt.Errorf("encode request: %w", err)
	}
	return broker.Message{
		Exchange: Exchange,
		Key:      key,
		Type:     key,
		Headers:  map[string]any{HeaderDeadline: deadline.UnixMilli()},
		Body:     body,
	}, nil
}

// readRequest reads the body of a call. The error is for a person and for the
// caller: what arrived can never be handled.
func readRequest(d *broker.Delivery) (*call, error) {
	method, known := methods[d.Type]
	if !known {
		return nil, fmt.Errorf("has the unknown type %.64q", d.Type)
	}
	if !utf8.Valid(d.Body) {
		// The decoder would replace what is invalid, in ids as well.
		return nil, errors.New("is not valid UTF-8")
	}
	var r request
	if err := json.Unmarshal(d.Body, &r); err != nil {
		return nil, fmt.Errorf("cannot be read: %w", err)
	}
	if r.SchemaVersion != schemaVersion {
		return nil, fmt.Errorf("has schema_version %d, known is %d", r.SchemaVersion, schemaVersion)
	}
	return method(&r)
}

// deadlineOf returns until when the caller waits.
func deadlineOf(d *broker.Delivery) (time.Time, bool) {
	millis, ok := d.Headers[HeaderDeadline].(int64)
	return time.UnixMilli(millis), ok
}
