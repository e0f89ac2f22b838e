// Package tui is the screen of on-call: what ran out of retries, as a list and
// one by one, and what a person can do about it.
//
// It is a leaf. It speaks to a [Desk], of which *replay.Desk is one, and to a
// terminal, and to nothing else; only a program imports it.
//
// # What holds
//
//   - Input is never held up. Every call to the desk runs beside the loop that
//     draws and reads keys, with a time limit; what is slow or fails is said in
//     the status line, what was read before stays on the screen, and reading
//     goes on.
//   - Cursor and selection belong to cases, not to lines: a refresh moves
//     neither.
//   - Nothing is sent again, taken from a colleague or closed before its effect
//     was seen whole and answered with y. Enter is no. Keys typed before the
//     question was drawn do not answer it, nor does a paste.
//   - An act is done on rows that are shown, on no row twice, and what came of
//     each is kept for as long as the screen is open.
//   - A view has exactly the lines of the window, none wider than it, whatever
//     the data: control characters are shown as escapes, widths are those of
//     the terminal's cells.
//   - Drawing costs what is visible, not what there is.
//   - However it ends, short of kill -9, the terminal is as it was before.
//   - Colour says nothing that the text does not say.
package tui
