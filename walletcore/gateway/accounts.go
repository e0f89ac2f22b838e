package gateway

import (
	"slices"
	"strings"
)

// Accounts are all accounts that one process serves.
type Accounts struct {
	byKey map[accountKey]*Account
}

type accountKey struct{ gateway, name string }

// NewAccounts returns the accounts of list, each added as by [Accounts.Add].
func NewAccounts(list ...*Account) (*Accounts, error) {
	accounts := &Accounts{byKey: make(map[accountKey]*Account, len(list))}
	for _, account := range list {
		if err := accounts.Add(account); err != nil {
			return nil, err
		}
	}
	return accounts, nil
}

// Add refuses an account that stands there already, and one that shares a
// secret with another: what a gateway signed for one of them would be accepted
// at the other, whose brand may differ. The error is an *AccountError. It is
// for the start of a program, before requests are served.
func (a *Accounts) Add(account *Account) error {
	key := accountKey{account.Gateway, account.Name}
	if _, ok := a.byKey[key]; ok {
		return account.fault("account", "stands twice")
	}
	for _, other := range a.byKey {
		if account.sharesSecret(other) {
			return account.fault("secrets", "hold one that "+other.String()+" has too")
		}
	}
	a.byKey[key] = account
	return nil
}

func (a *Account) fault(field, reason string) error {
	return &AccountError{Gateway: a.Gateway, Account: a.Name, Field: field, Reason: reason}
}

// Find returns the account that a webhook's URL names.
func (a *Accounts) Find(gateway, name string) (*Account, bool) {
	account, ok := a.byKey[accountKey{gateway, name}]
	return account, ok
}

// Names lists the accounts that the brand has at the gateway, in alphabetical
// order.
func (a *Accounts) Names(brand, gateway string) []string {
	var names []string
	for key, account := range a.byKey {
		if account.Brand == brand && key.gateway == gateway {
			names = append(names, key.name)
		}
	}
	slices.Sort(names)
	return names
}

// Len returns the number of accounts.
func (a *Accounts) Len() int { return len(a.byKey) }

func listOf(names []string) string { return strings.Join(names, ", ") }
