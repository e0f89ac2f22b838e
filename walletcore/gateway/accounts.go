package gateway

import "strings"

// Accounts are all accounts that one process serves.
type Accounts struct {
	byKey map[accountKey]*Account
}

type accountKey struct{ gateway, name string }

// NewAccounts refuses an account that stands twice, and two accounts that
// share a secret: what one gateway signed for one of them would be accepted at
// the other, whose brand may differ. The error is an *AccountError.
func NewAccounts(list ...*Account) (*Accounts, error) {
	accounts := &Accounts{byKey: make(map[accountKey]*Account, len(list))}
	for i, account := range list {
		key := accountKey{account.Gateway, account.Name}
		if _, ok := accounts.byKey[key]; ok {
			return nil, account.fault("account", "stands twice")
		}
		for _, other := range list[:i] {
			if account.sharesSecret(other) {
				return nil, account.fault("secrets", "hold one that "+other.String()+" has too")
			}
		}
		accounts.byKey[key] = account
	}
	return accounts, nil
}

func (a *Account) fault(field, reason string) error {
	return &AccountError{Gateway: a.Gateway, Account: a.Name, Field: field, Reason: reason}
}

// Find returns the account that a webhook's URL names.
func (a *Accounts) Find(gateway, name string) (*Account, bool) {
	account, ok := a.byKey[accountKey{gateway, name}]
	return account, ok
}

// Serves reports whether the brand has the account at the gateway, or any
// account there where name is empty.
func (a *Accounts) Serves(brand, gateway, name string) bool {
	for key, account := range a.byKey {
		if account.Brand == brand && key.gateway == gateway && (name == "" || key.name == name) {
			return true
		}
	}
	return false
}

// Len returns the number of accounts.
func (a *Accounts) Len() int { return len(a.byKey) }

func listOf(names []string) string { return strings.Join(names, ", ") }
