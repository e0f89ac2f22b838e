package command

import (
	"encoding/hex"
	"strconv"

	"github.com/google/uuid"
	"github.com/spf13/cobra"

	"github.com/walletctl/walletctl/cmd/walletctl/internal/output"
	"github.com/walletctl/walletctl/walletcore"
	"github.com/walletctl/walletctl/walletcore/ledger"
)

func newWalletShowCmd(f *factory) *cobra.Command {
	source, format := &walletSource{}, output.NewChoice()
	cmd := &cobra.Command{
		Use:     "show " + walletUse,
		Short:   "Show a wallet's balances and where its chain stands",
		Example: "  walletctl wallet show acme player-17 EUR",
		Args:    args(walletArgs),
		RunE: func(cmd *cobra.Command, given []string) error {
			id, err := walletID(given)
			if err != nil {
				return err
			}
			pool, err := source.open(cmd.Context(), f)
			if err != nil {
				return err
			}
			defer pool.Close()
			wallet, err := ledger.NewReader(pool).Wallet(cmd.Context(), id)
			if err != nil {
				return err
			}
			return output.Write(f.streams.Out, format.Format, walletResult(wallet))
		},
	}
	source.add(cmd)
	addOutput(cmd, format)
	return cmd
}

type walletDocument struct {
	SchemaVersion int        `json:"schema_version"`
	Wallet        walletItem `json:"wallet"`
}

type walletItem struct {
	ID        uuid.UUID        `json:"id"`
	Brand     string           `json:"brand"`
	User      string           `json:"user"`
	Currency  string           `json:"currency"`
	Real      walletcore.Money `json:"real"`
	Bonus     walletcore.Money `json:"bonus"`
	DebtLimit walletcore.Money `json:"debt_limit"`
	Seq       int64            `json:"seq"`
	Head      string           `json:"head"` // hex
	Frozen    bool             `json:"frozen"`
}

func walletResult(w ledger.Wallet) output.Result {
	item := walletItem{
		ID: w.ID, Brand: w.Key.Brand, User: w.Key.User, Currency: w.Key.Currency,
		Real: w.Real, Bonus: w.Bonus, DebtLimit: w.DebtLimit, Seq: w.Seq, Head: hex.EncodeToString(w.Head[:]), Frozen: w.Frozen,
	}
	row := []string{
		item.ID.String(), item.Brand, item.User, item.Currency, item.Real.String(), item.Bonus.String(),
		item.DebtLimit.String(), strconv.FormatInt(item.Seq, 10), item.Head, strconv.FormatBool(item.Frozen),
	}
	columns := output.Columns("wallet_id", "brand", "user", "currency", ">real", ">bonus", ">debt_limit", ">seq", "head", "frozen")
	return one(walletDocument{SchemaVersion: 1, Wallet: item}, columns, row)
}

// one is the result of a single thing: a row in CSV, a list of fields for
// people.
func one(document any, columns []output.Column, row []string) output.Result {
	var fields output.Fields
	for i, c := range columns {
		fields.Add(c.Name, row[i])
	}
	return output.Result{
		JSON: document,
		CSV:  output.Table{Columns: columns, Rows: [][]string{row}},
		Text: []output.Section{{Table: fields.Table()}},
	}
}
