package output

import "github.com/walletctl/walletctl/walletcore/printable"

// Safe makes text from anywhere harmless to a terminal and keeps it on one
// line.
func Safe(text string) string { return printable.Text(text) }
