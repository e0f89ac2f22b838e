// Package gateway takes in the webhooks of payment gateways: it verifies their
// signatures, hands them to the queue, and later reads their payloads. What
// differs between gateways is a [Dialect], one file each; everything after
// [Dialect.Parse] sees only [walletcore.Notification].
//
// The way of a webhook:
//
//	POST /webhooks/{gateway}/{account}
//	  -> Handler: find the account, read the body once, Verify over its raw
//	     bytes, publish, answer 2xx            nothing else, so that it is quick
//	  -> queue
//	  -> consumer: received.Notifications, which is the dialect's Parse
//
// What holds:
//
//   - The account whose secret verified fixes the brand. Nothing in the body
//     can choose another, and no two accounts share a secret.
//   - Nothing is parsed before its signature is verified, and a signature is
//     compared as 32 decoded bytes in constant time.
//   - 2xx is answered only after the broker has the message. Anything else
//     makes the gateway send again, which is safe: nothing was done.
//   - A body that was signed but cannot be read is not lost: it is in the
//     queue, and Parse says with a *PayloadError which field is wrong.
//   - An amount is read from digits in the gateway's own unit, never through a
//     float, and never guessed from the look of the number.
//
// A replay of an old, validly signed webhook is a resend: a status that was
// applied is skipped, so it moves nothing.
package gateway
