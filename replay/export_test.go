package replay

// Lookups are the queries that tell a story.
func Lookups() []string {
	all := []string{selectWalletEntries, selectLedgerCases, selectMovement, selectMovementEntries, selectMovementWallets}
	for _, p := range append(append(append([]part{}, depositParts...), withdrawalParts...), commonParts...) {
		all = append(all, p.query)
	}
	return all
}
