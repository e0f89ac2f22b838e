// Package rpc is how casino asks gaming to move money: a call over RabbitMQ
// that may be repeated for ever and takes effect once.
//
// # Queues
//
//	exchange gaming.rpc (direct) --key of the call--> queue gaming.calls (quorum)
//	exchange gaming.dlx (fanout) -------------------> queue gaming.dead  (quorum)
//
// gaming declares them, see [Topology]; only casino may publish to gaming.rpc.
// Requests are persistent and mandatory. gaming.calls delivers a message
// again at most [DeliveryLimit] times, then moves it to gaming.dlx, at least
// once. What can never be handled goes there at once, with the reason in the
// header x-dead-reason.
//
// # Messages
//
// A request has a type, which is its routing key too, a correlation id that is
// new for each call, the reply address amq.rabbitmq.reply-to, and the header
// x-deadline: until when, in Unix milliseconds, somebody waits for the reply.
// The type says which member its body has:
//
//	credit_deposit      credit      deposit_id
//	debit_withdrawal    withdrawal  withdrawal_id
//	reverse_withdrawal  withdrawal  withdrawal_id
//	change_bonus        bonus       bonus_id, kind: bonus_grant, bonus_forfeit, bonus_conversion
//
// and beside its id each has the same:
//
//	{"schema_version": 1,
//	 "credit": {"deposit_id": "d-17", "wallet": {"brand": "b", "user": "u", "currency": "EUR"},
//	            "amount": "12.50000000", "occurred_at": "2026-01-02T03:04:05Z",
//	            "correlation_id": "c-1", "details": {}}}
//
// The reply is not persistent and carries the call's correlation id. outcome
// says which other member is set:
//
//	{"schema_version": 1, "outcome": "posted",   "posted": {"receipt": {...}, "replayed": false}}
//	{"schema_version": 1, "outcome": "conflict", "conflict": {"kind", "external_id", "field", "stored", "given"}}
//	{"schema_version": 1, "outcome": "refused",  "refused": {"code", "detail"}}
//	{"schema_version": 1, "outcome": "invalid",  "invalid": {"field", "reason"}}
//	{"schema_version": 1, "outcome": "retry",    "retry": {"reason", "brand": {"id", "state"}}}
//
// The answer about a withdrawal has "state" beside its receipt: debited, reversed
// or closed, as it stands now, whatever the receipt of long ago says.
//
// Amounts are strings; a JSON number is invalid. Members that a reader does not
// know are ignored, so that either side can be upgraded first; another
// schema_version is invalid. A malformed request is answered "invalid" and
// becomes a dead letter.
//
// # What a caller knows
//
// gaming acknowledges a request after its commit and after its reply. So:
//
//   - posted, conflict, refused, invalid: gaming's word, and final for this
//     request. refused may succeed later with the same key;
//   - *walletcore.NotLiveError: the brand takes no movements yet. Nothing was
//     posted; the same call later, when the brand is live, is;
//   - *[RetryError]: gaming's database was away or busy. Nothing was posted, or
//     its commit was cut off and may stand;
//   - *[NotDeliveredError]: no queue took it;
//   - *[UnknownOutcomeError]: no reply came in time. It may have been posted,
//     and may still be: a missing reply says nothing. The same call again, with
//     the same id, gets the original receipt, whatever happened.
//
// A request whose deadline is past is dropped unread: its caller has gone and
// will call again. Deadlines compare the clocks of two machines; where gaming's
// is ahead by more than the caller's timeout, nothing would be posted, which
// the counter of dropped requests and the log show.
package rpc
