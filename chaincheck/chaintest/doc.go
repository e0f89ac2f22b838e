// Package chaintest makes ledgers for tests and benchmarks of the chain check:
// long ones, with valid hashes, in seconds, and broken ones. It goes around the
// triggers that close the chain, as only the owner of the schema can. No
// program imports it.
package chaintest
