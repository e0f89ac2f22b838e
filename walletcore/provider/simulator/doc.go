// Package simulator sends to a gaming service the traffic that game providers
// send, and checks every answer: bets, wins and rollbacks, and all that goes
// wrong on their way. It is for whoever builds or integrates such a service,
// by hand and in CI.
//
// What is sent again, early, twice at once or half is planned first: the same
// options give the same [Plan]. Then each player's rounds are played one after
// the other, all players at the same time. A model of the player's wallet says
// what the contract answers to each call; what the service answers otherwise
// is a [Finding].
//
// What is checked:
//
//   - A call that comes again, at once or hours later, is answered as the first
//     time: the same id of ours, the first or the current balance as the policy
//     says. It moves nothing.
//   - A call whose connection broke is sent again by the schedule of retries
//     until it is answered, and has moved money once.
//   - A refusal is told in the dialect's own status and code, with the balance
//     where the contract asks for it, and moves nothing. Its id can succeed
//     later.
//   - What comes after its own rollback moves nothing, however that is answered.
//   - Of calls at the same time the answers are those of some order of them.
//   - Each answer shows the balance that follows from the answers before it, and
//     so does the look-up at the end of each round.
//
// The model trusts nothing but the contract: with the service's side of it the
// simulator shares the rules of profiles (names, policies and their defaults)
// and the reader of JSON, and nothing that decides. It begins with the balance
// that the service tells of each player, and is set to what the service tells
// after each finding, so that one fault is one finding.
//
// A copy whose connection was cut may be taken long after it was sent. That is
// reckoned with where calls race; where a refusal is not final (too little
// money, a win that has to have a bet) nothing is cut.
//
// Money for bets comes from a win that resolves no bet, where the policy lets
// such a win in: over a provider's HTTP there is no other way to get any.
// Players must not be in debt, and nobody else may play with them meanwhile.
package simulator
