// Package replay is what on-call works with when the machine gave up: cases, and
// the work that ran out of retries, to look at and to send again.
//
// It speaks to PostgreSQL only. What a person does is a function of the
// database, which records the login; the services do the sending.
//
// # What holds
//
//   - Sending again is safe. The kept job itself is set back to work, under the
//     key that it always had: what gaming did before is answered with the first
//     receipt, and moves nothing.
//   - What was given back, or charged back, is never paid by a replay. The
//     database refuses it, not the command.
//   - A case is closed by its subject's own progress, or by a person with a
//     reason. Nothing is deleted, and every act has a name on it.
//   - A bulk run keeps no list of its own: what is stuck is read from the
//     database, so a run that was killed goes on where it was.
package replay
