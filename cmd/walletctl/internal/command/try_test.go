package command_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/chaincheck"
	"github.com/walletctl/walletctl/cmd/internal/config"
	"github.com/walletctl/walletctl/cmd/internal/hint"
	"github.com/walletctl/walletctl/cmd/internal/postgres"
	"github.com/walletctl/walletctl/cmd/walletctl/internal/command"
	"github.com/walletctl/walletctl/migrations"
	"github.com/walletctl/walletctl/walletcore/deposit"
	"github.com/walletctl/walletctl/walletcore/ledger"
	"github.com/walletctl/walletctl/walletcore/withdrawal"
)

func server(code string) error {
	return &pgconn.PgError{Severity: "ERROR", Code: code, Hint: "the server's hint"}
}

// What an operator is told to try, for each error that a command can return.
func TestTry_EveryErrorSaysWhatToDo(t *testing.T) {
	t.Parallel()
	const variable = "GAMING_DATABASE_URL"
	for _, c := range []struct {
		err  error
		want string
	}{
		{&config.Error{Variable: variable, Try: "set it"}, "set it"},
		{&config.FileError{Path: "f", Try: "correct or remove the line"}, "correct or remove the line"},
		{hint.With(errors.New("x"), "look again"), "look again"},
		{&postgres.ConnectError{Variable: variable, Err: errors.New("refused")}, "see that the server runs and that this host can reach it"},
		{&postgres.ConnectError{Variable: variable, Err: server("28P01")}, "correct the user or the password in GAMING_DATABASE_URL, or allow the login in pg_hba.conf"},
		{&postgres.ConnectError{Variable: variable, Err: server("3D000")}, "correct the database's name in GAMING_DATABASE_URL, or create the database"},
		{&postgres.ConnectError{Variable: variable, Err: server("53300")}, "lower DATABASE_MAX_CONNS, or raise the server's max_connections"},
		{&migrations.SchemaError{Schema: "gaming", Behind: true}, "walletctl migrate up, as the owner"},
		{&migrations.SchemaError{Schema: "gaming"}, "put back what is named, as the owner, and find out who changed it; then walletctl migrate check"},
		{ledger.ErrNoWallet, "check the spelling of brand, user and currency; a wallet is born with its first movement"},
		{deposit.ErrNotFound, "walletctl deposits list"},
		{withdrawal.ErrNotFound, "walletctl withdrawals list"},
		{chaincheck.ErrLocked, "wait for the other run, or give another --state"},
		{chaincheck.ErrNoWallets, "check the database's name in the URL, and the spelling of --brand or --wallet"},
		{&chaincheck.OptionError{Option: "window"}, "walletctl chaincheck --help"},
		{server("42501"), "use a login that may do this; walletctl help environment says which"},
		{server("42P01"), "walletctl migrate status"},
		{server("25006"), "use the primary's URL: this server is a replica"},
		{server("57014"), "repeat: another transaction was in the way"},
		{server("WL001"), "the server's hint"},
		{context.DeadlineExceeded, "see that the server is not overloaded, and repeat"},
		{command.UsageError("unknown flag: --x"), "walletctl --help"},
		{command.UsageError("unknown shorthand flag: '5' in -5"), "put -- before an argument that begins with a dash, or see walletctl --help"},
		{errors.New("move it. Try: move it away"), ""},
	} {
		require.Equal(t, c.want, command.Try(fmt.Errorf("do it: %w", c.err)), c.err)
	}
}
