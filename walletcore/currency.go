package walletcore

// minorUnits lists the currencies of ISO 4217 whose minor unit is not a
// hundredth, by decimal places.
var minorUnits = map[string]int{
	"BIF": 0, "CLP": 0, "DJF": 0, "GNF": 0, "ISK": 0, "JPY": 0, "KMF": 0, "KRW": 0, "PYG": 0,
	"RWF": 0, "UGX": 0, "UYI": 0, "VND": 0, "VUV": 0, "XAF": 0, "XOF": 0, "XPF": 0,
	"BHD": 3, "IQD": 3, "JOD": 3, "KWD": 3, "LYD": 3, "OMR": 3, "TND": 3,
	"CLF": 4, "UYW": 4,
}

// MinorUnits returns the decimal places of a currency's smallest payable
// amount: those of ISO 4217 for three-letter codes, and all 8 places for the
// longer codes that stand for coins and tokens (USDT, DOGE).
func MinorUnits(currency string) int {
	if places, ok := minorUnits[currency]; ok {
		return places
	}
	if len(currency) == 3 && currency != "BTC" && currency != "ETH" {
		return 2
	}
	return Places
}

// CheckCurrency refuses a code that is not 3 to 10 upper-case letters or
// digits beginning with a letter. The error is a *FieldError.
func CheckCurrency(code string) error {
	ok := len(code) >= 3 && len(code) <= 10 && code[0] >= 'A' && code[0] <= 'Z'
	for i := range len(code) {
		c := code[i]
		ok = ok && (c >= 'A' && c <= 'Z' || c >= '0' && c <= '9')
	}
	if !ok {
		return &FieldError{Field: "currency", Reason: "must be an upper-case code such as EUR"}
	}
	return nil
}

// CheckPayable refuses an amount that nobody can pay in the currency: zero,
// negative, or finer than its minor unit. It holds for deposits and
// withdrawals; bets and wins may be finer.
func CheckPayable(amount Money, currency string) error {
	if amount.Sign() <= 0 {
		return &FieldError{Field: "amount", Reason: "must be greater than zero"}
	}
	if !amount.InRange() {
		return &FieldError{Field: "amount", Reason: "is out of range: at most 10 digits before the point"}
	}
	if !amount.FitsPlaces(MinorUnits(currency)) {
		return &FieldError{Field: "amount", Reason: "is finer than the smallest unit of " + currency}
	}
	return nil
}
