// Package provider takes in the callbacks of game providers: it verifies their
// signatures, reads their payloads, asks the wallet, and answers in the words
// of each contract. What differs between contracts is a [Dialect], one file
// each, and a [Profile], which is data; what moves money is the same for all.
//
// The way of a callback:
//
//	POST /providers/{brand}/{provider}/{operation}
//	  -> profile of the URL; the body, read once, at most MaxBody bytes
//	  -> signature over the raw bytes, by the profile's own secrets
//	  -> Dialect.Read: a Call, ids as they were given
//	  -> Handler.key: ids for bets and wins that came without one, or a refusal
//	  -> Profile.request: ids behind the profile's namespace, its rules
//	  -> Wallet.Play: whole or not at all, each action idempotent by its key
//	  -> judge: by the profile's policy a success, or a Problem
//	  -> Dialect.Write or Dialect.Refuse
//
// What holds:
//
//   - The profile whose secret verified fixes the brand. Nothing in a body can
//     choose another, and no two profiles share a secret.
//   - Nothing is parsed before its signature is verified.
//   - The key of a movement is its kind and its id behind the namespace: a bet
//     and its refund may carry one id, two providers may use the same ids.
//   - A bet or win without an id is refused. For a profile with Unkeyed, until its
//     deadline, it has a digest of its message for an id, in a form that no
//     provider can give; see [Unkeyed] for what that is worth.
//   - A refund's key is the bet's id, a reversal's that of the win, whatever id
//     the call itself carries: nothing is given back twice.
//   - A rollback that does not say whether it is for a bet or a win undoes what
//     there is of the two. What is not there is tombstoned, and moves nothing
//     when it comes late.
//   - A policy decides which words answer a duplicate, a late bet or an unknown
//     rollback. None of them decides whether money moves a second time.
//   - A refusal leaves nothing behind: the same id can succeed later. A
//     tombstone is the one exception, also where the provider is told that
//     nothing was found.
//   - What the wallet could not decide (its error is not nil) is answered so
//     that the provider sends again, never as declined.
//   - Wins and refunds depend on no session: a token in a call is not looked at.
//   - Amounts are read from digits, in the unit that the profile sets for the
//     currency, and never through a float. A balance finer than that unit is
//     shown rounded down.
//
// A new dialect is a file with its own [Dialect], a line in the registry, a
// profile, and a contract test.
package provider
