// Package deadletter keeps in PostgreSQL what the queues gave up on, and hands
// out what a person asked to have sent again.
//
// # What holds
//
//   - A letter is one row, however often it is delivered to its keeper: its
//     digest is unique, over the message and over how it died. A message that is
//     sent again and dies again is another letter.
//   - What was kept is never changed or deleted. A person moves a letter from
//     kept to requeue_asked or discarded, by functions that record the login; the
//     service moves it from requeue_asked to requeued, or back to kept with the
//     error. There is no other move.
//   - A letter is sent before it is marked as sent: a process that dies between
//     the two has it sent twice, which every handler bears, and never not at all.
package deadletter
