// Package walletcore is the domain of the wallet: money, wallets, ledger
// entries, receipts and the keyed hash chain that ties the entries of a wallet
// together. It is pure: it knows neither a database nor a broker, so every
// rule in it can be read, and tested, on its own.
//
// Vocabulary, the same in Go, SQL, JSON and help text:
//
//   - A wallet belongs to one (brand, user, currency) and holds two balances,
//     real and bonus.
//   - A movement asks for a change of one wallet. Its kind and external id are
//     its idempotency key.
//   - An entry is a movement as it was written: balances before and after, its
//     place (seq) in the wallet's chain, and a hash over it and its
//     predecessor.
//   - A receipt is what the caller gets for a movement, the first time and
//     every time after.
package walletcore
