// Package bench measures the money path and the chain check beside what the
// same machine can do at most: pgbench over a schema without guarantees, a bare
// request and reply, a plain window query. `make bench` runs it.
//
// Absolute figures say more about the machine than about this code, so what
// counts is the ratio. Ours and its limits run in turn, several rounds, and
// each round begins with another one: a machine that slows down slows them all.
package bench
