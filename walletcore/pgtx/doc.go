// Package pgtx is what casino's packages share about transactions and rows of
// PostgreSQL: what to do again, what to give up, and how a text of any origin
// fits a bounded column.
package pgtx
