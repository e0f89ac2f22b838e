package walletcore

// BrandState says what a brand takes. It goes forward only.
type BrandState string

// The states, in their order.
const (
	// BrandClosed: nothing. So is every brand that nobody named.
	BrandClosed BrandState = "closed"
	// BrandImporting: the balances of its players are being brought in.
	BrandImporting BrandState = "importing"
	// BrandLive: movements.
	BrandLive BrandState = "live"
)
