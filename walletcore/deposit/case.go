package deposit

import (
	"github.com/walletctl/walletctl/walletcore/casework"
)

// The kinds of cases about deposits.
const (
	CaseUnknownDeposit   casework.Kind = "unknown_deposit"   // a message names a deposit that never came to be
	CaseBrandMismatch    casework.Kind = "brand_mismatch"    // a brand's account names another brand's deposit; an alarm
	CaseGatewayMismatch  casework.Kind = "gateway_mismatch"  // another gateway or account than the deposit's
	CaseCurrencyMismatch casework.Kind = "currency_mismatch" // paid in another currency
	CaseAmountMismatch   casework.Kind = "amount_mismatch"   // another amount was paid
	CasePaymentUnnamed   casework.Kind = "payment_unnamed"   // confirmed, but by which payment?
	CasePaymentReused    casework.Kind = "payment_reused"    // the payment paid another deposit already
	CaseSecondPayment    casework.Kind = "second_payment"    // the deposit was paid already, by another payment
	CaseChargeback       casework.Kind = "chargeback"        // the money went back
	CaseCreditExhausted  casework.Kind = "credit_exhausted"  // confirmed, and no attempt to credit succeeded
	CaseCreditInvalid    casework.Kind = "credit_invalid"    // gaming can never take this credit
	CaseKeyConflict      casework.Kind = "key_conflict"      // gaming has this deposit id with other content
	CaseEffectExhausted  casework.Kind = "effect_exhausted"  // an effect could not be published
)

// subject is what a case about a deposit is about.
func subject(id string) casework.Subject {
	return casework.Subject{Type: casework.SubjectDeposit, ID: id}
}

// effectSubject is what a case about one of its effects is about.
func effectSubject(id, name string) casework.Subject {
	return casework.Subject{Type: casework.SubjectEffect, ID: id + "/" + name}
}
