// Package wallettest is what tests share: fresh databases, broker hosts and
// faulty networks on real servers. No program imports it; a lint rule says so.
package wallettest
