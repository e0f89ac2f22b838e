package command

import (
	"context"
	"errors"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/spf13/cobra"

	"github.com/walletctl/walletctl/chaincheck"
	"github.com/walletctl/walletctl/cmd/internal/hint"
	"github.com/walletctl/walletctl/walletcore/deposit"
	"github.com/walletctl/walletctl/walletcore/ledger"
	"github.com/walletctl/walletctl/walletcore/withdrawal"
)

// try says what the operator can do about an error: what the error itself
// knows, or else what this program knows about errors of the libraries.
func try(cmd *cobra.Command, err error) string {
	var usage *usageError
	switch {
	case strings.Contains(err.Error(), "Try: "):
		return ""
	case errors.As(err, &usage):
		return tryUsage(cmd, usage)
	}
	if known := hint.Of(err); known != "" {
		return known
	}
	return tryFact(err)
}

func tryUsage(cmd *cobra.Command, usage *usageError) string {
	if usage.try != "" {
		return usage.try
	}
	if strings.Contains(usage.Error(), "shorthand flag") {
		return "put -- before an argument that begins with a dash, or see " + cmd.CommandPath() + " --help"
	}
	return cmd.CommandPath() + " --help"
}

func tryFact(err error) string {
	var refused *pgconn.PgError
	var option *chaincheck.OptionError
	switch {
	case errors.Is(err, ledger.ErrNoWallet):
		return "check the spelling of brand, user and currency; a wallet is born with its first movement"
	case errors.Is(err, deposit.ErrNotFound):
		return "walletctl deposits list"
	case errors.Is(err, withdrawal.ErrNotFound):
		return "walletctl withdrawals list"
	case errors.Is(err, chaincheck.ErrLocked):
		return "wait for the other run, or give another --state"
	case errors.Is(err, chaincheck.ErrNoWallets):
		return "check the database's name in the URL, and the spelling of --brand or --wallet"
	case errors.As(err, &option):
		return "walletctl chaincheck --help"
	case errors.As(err, &refused):
		return tryServer(refused)
	case errors.Is(err, context.DeadlineExceeded):
		return "see that the server is not overloaded, and repeat"
	case strings.Contains(err.Error(), "conn closed") || pgconn.Timeout(err):
		return "see that the server runs and that this host can reach it, and repeat"
	}
	return ""
}

// tryServer reads the server's answer by its code.
func tryServer(refused *pgconn.PgError) string {
	switch refused.Code {
	case "42501":
		return "use a login that may do this; walletctl help environment says which"
	case "42P01", "3F000", "42704", "42703":
		return "walletctl migrate status"
	case "25006":
		return "use the primary's URL: this server is a replica"
	case "57014", "55P03":
		return "repeat: another transaction was in the way"
	}
	return refused.Hint
}
