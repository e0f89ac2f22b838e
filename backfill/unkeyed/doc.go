// Package unkeyed keeps account of the producers that still send live bets and
// wins without an id: who may, until when, and how much comes in that way. The
// movements themselves are keyed in package provider.
//
// What holds:
//
//   - What was moved is counted from the entries: exact, each movement once
//     however often its message came, and nothing to keep in step. A counter's
//     row would be one more thing that every such movement waits for, or that a
//     killed process leaves behind. A partial index holds those entries alone.
//   - providers.yaml decides. The list in the database is what gaming says of
//     that file when it starts, so that a report needs nothing but the database.
//   - A producer whose profile says no longer that it may is taken off the list.
//     One whose profile is gone stays until its deadline has passed.
//   - Calls that are refused after the deadline leave no entry. They are counted
//     in memory and added up every few seconds: a killed process loses some.
package unkeyed
