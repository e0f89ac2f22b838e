package inbox

import "github.com/walletctl/walletctl/walletcore"

// Check refuses what the inbox cannot keep. The error is a
// *walletcore.FieldError; the message belongs to the dead letters.
func Check(n *walletcore.Notification) error {
	required := []struct {
		field, value string
		limit        int
	}{
		{"message_id", n.MessageID, walletcore.MaxGivenID},
		{"gateway", n.Gateway, walletcore.MaxName},
		{"account", n.Account, walletcore.MaxName},
		{"brand", n.Brand, walletcore.MaxName},
		{"status", string(n.Status), walletcore.MaxName},
	}
	for _, r := range required {
		if err := walletcore.CheckID(r.field, r.value, r.limit); err != nil {
			return err
		}
	}
	return checkOptional(n)
}

func checkOptional(n *walletcore.Notification) error {
	for field, value := range map[string]string{
		"event_id": n.EventID, "event_type": n.EventType, "deposit_id": n.DepositID, "withdrawal_id": n.WithdrawalID,
		"payment_id": n.PaymentID, "dialect": n.Dialect, "currency": n.Currency,
	} {
		if value == "" {
			continue
		}
		if err := walletcore.CheckID(field, value, walletcore.MaxGivenID); err != nil {
			return err
		}
	}
	switch {
	case n.Amount.Sign() < 0 || !n.Amount.InRange():
		return &walletcore.FieldError{Field: "amount", Reason: "is out of range"}
	case n.ReceivedAt.IsZero():
		return &walletcore.FieldError{Field: "received_at", Reason: "must be set"}
	case !n.Status.Valid():
		return &walletcore.FieldError{Field: "status", Reason: "is not a status of a payment"}
	}
	return nil
}
