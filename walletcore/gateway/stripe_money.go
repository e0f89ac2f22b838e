package gateway

import (
	"strings"

	"github.com/walletctl/walletctl/walletcore"
	"github.com/walletctl/walletctl/walletcore/strictjson"
)

// stripePlaces lists the currencies whose unit at Stripe is not a hundredth,
// by decimal places (docs.stripe.com/currencies). It is Stripe's list, not ISO
// 4217's: ISK and UGX have no cents any more and are still sent with two
// places, and MGA, which is divided in fifths, is sent whole.
var stripePlaces = map[string]int{
	"BIF": 0, "CLP": 0, "DJF": 0, "GNF": 0, "JPY": 0, "KMF": 0, "KRW": 0, "MGA": 0,
	"PYG": 0, "RWF": 0, "VND": 0, "VUV": 0, "XAF": 0, "XOF": 0, "XPF": 0,
	"BHD": 3, "JOD": 3, "KWD": 3, "OMR": 3, "TND": 3,
}

// stripeAmount reads an amount in Stripe's unit of the object's currency.
func stripeAmount(object strictjson.Object, field string) (walletcore.Money, string, error) {
	code, _, err := object.Text("currency")
	if err != nil {
		return walletcore.Money{}, "", err
	}
	currency := strings.ToUpper(code)
	if err := walletcore.CheckCurrency(currency); err != nil {
		return walletcore.Money{}, "", fault("data.object.currency", "must be a code such as eur")
	}
	n, ok, err := object.Int(field)
	if err != nil {
		return walletcore.Money{}, "", err
	}
	if !ok {
		return walletcore.Money{}, "", fault("data.object."+field, "is missing")
	}
	amount, err := fromStripeUnit(n, currency)
	if err != nil {
		return walletcore.Money{}, "", atField("data.object."+field, err)
	}
	return amount, currency, nil
}

// fromStripeUnit converts n, which must be payable in the currency.
func fromStripeUnit(n int64, currency string) (walletcore.Money, error) {
	places, ok := stripePlaces[currency]
	if !ok {
		places = 2
	}
	unit := int64(1)
	for range walletcore.Places - places {
		unit *= 10
	}
	if n > walletcore.MaxMoney.Units()/unit {
		return walletcore.Money{}, fault("amount", "is out of range: at most 10 digits before the point")
	}
	amount := walletcore.MoneyFromUnits(max(n, -1) * unit)
	return amount, walletcore.CheckPayable(amount, currency)
}
