// Walletctl is the operators' tool: it migrates, checks the chains, and shows
// wallets and deposits. It speaks to PostgreSQL only.
package main

import (
	"os"

	"github.com/walletctl/walletctl/cmd/walletctl/internal/command"
	"github.com/walletctl/walletctl/cmd/walletctl/internal/output"
)

func main() {
	os.Exit(command.Main(os.Args[1:], output.System(), os.Environ()))
}
