// Package broker is everything that walletctl does with AMQP: connections that
// come back, topology, confirmed publishing, calls with replies, consuming.
//
// # Connections
//
// A [Conn] keeps one connection to the broker up until it is closed. The client
// library can recover connections itself; that is left off, because a recovered
// channel there is the same object: a tag of the old channel acknowledged on
// the new one closes it, pending confirmations end as if the broker had refused
// the message, a consumer that the broker cancelled stays cancelled, and
// retries are counted and come without jitter. Here a connection is a session,
// and what belongs to a session ends with it: every channel, delivery tag and
// pending confirmation. Publishers and consumers open their channels again on
// the next session, after a back-off with jitter.
//
// A broker that is short of memory or disk blocks the connection and stops
// reading from its socket. Writing then blocks inside the library, so nothing
// that a caller waits for ever writes: publishing ends with its context, and
// Close ends with its deadline by closing the socket.
//
// # Publishing
//
// The outcome of [Publisher.Publish] is one of:
//
//   - nil: the broker has it, in a queue;
//   - *[NotSentError]: it never left;
//   - *[ReturnedError]: no queue took it, although a confirmation followed;
//   - [ErrNacked]: the broker refused it;
//   - *[UnconfirmedError]: it left, and whether it arrived is unknown.
//
// [Requester.Request] adds *[NoReplyError]: the broker has the request, and
// whether it was carried out is unknown. [Sender.Send] waits for no outcome.
//
// # Consuming
//
// What a [Handler] returns decides the delivery:
//
//   - nil: acknowledged;
//   - *[Unprocessable]: published to the dead-letter exchange with its reason,
//     confirmed, then acknowledged;
//   - *[Unavailable]: kept, or acknowledged where it was answered, and
//     consuming pauses until the probe succeeds. No delivery is counted;
//   - any other error, and a panic: given back after a delay. The broker counts
//     the deliveries and moves the message to the dead-letter exchange after
//     the queue's limit, also when the process dies each time.
//
// A delivery is settled on the channel that brought it. Where that channel is
// gone, the message comes again; handlers are idempotent.
//
// An outage that lasts longer than the broker's consumer timeout (30 minutes by
// default) costs the kept messages one delivery for each such timeout.
package broker
