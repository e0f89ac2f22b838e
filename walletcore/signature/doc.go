// Package signature reads and compares the HMAC-SHA256 signatures of outside
// parties: over the raw bytes as received, before anything in them is parsed.
// How a header is written differs by party; what is compared are always 32
// decoded bytes, in constant time, against every live secret.
package signature
