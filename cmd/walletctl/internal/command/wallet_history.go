package command

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strconv"
	"time"

	"github.com/google/uuid"
	"github.com/spf13/cobra"

	"github.com/walletctl/walletctl/cmd/walletctl/internal/output"
	"github.com/walletctl/walletctl/walletcore"
	"github.com/walletctl/walletctl/walletcore/ledger"
)

func newWalletHistoryCmd(f *factory) *cobra.Command {
	source, format := &walletSource{}, output.NewChoice()
	since, until := when{now: f.now}, when{now: f.now}
	var opts ledger.HistoryOptions
	var before int64
	var kind string
	cmd := &cobra.Command{
		Use:     "history " + walletUse,
		Short:   "List a wallet's entries, the newest first",
		Example: "  walletctl wallet history acme player-17 EUR --since 24h --kind deposit",
		Args:    args(walletArgs),
		RunE: func(cmd *cobra.Command, given []string) error {
			opts.Since, opts.Until, opts.Kind = since.at, until.at, walletcore.Kind(kind)
			if cmd.Flags().Changed("before-seq") {
				opts.BeforeSeq = &before
			}
			if opts.Limit == 0 {
				opts.Limit = -1 // no page at all cannot be meant
			}
			if err := opts.Validate(); err != nil {
				return &usageError{err: fmt.Errorf("--%w", err)}
			}
			return walletHistory(cmd, f, source, format, given, opts)
		},
	}
	cmd.Flags().IntVar(&opts.Limit, "limit", ledger.DefaultPage, fmt.Sprintf("entries to show, at most %d", ledger.MaxPage))
	cmd.Flags().Int64Var(&before, "before-seq", 0, "show entries below this seq: the next page")
	cmd.Flags().Var(&since, "since", "recorded at or after: "+whenUsage)
	cmd.Flags().Var(&until, "until", "recorded before: "+whenUsage)
	cmd.Flags().StringVar(&kind, "kind", "", "entries of one kind, such as deposit")
	complete(cmd, "kind", names(walletcore.Kinds)...)
	source.add(cmd)
	addOutput(cmd, format)
	return cmd
}

func walletHistory(cmd *cobra.Command, f *factory, source *walletSource, format *output.Choice, given []string, opts ledger.HistoryOptions) error {
	id, err := walletID(given)
	if err != nil {
		return err
	}
	pool, err := source.open(cmd.Context(), f)
	if err != nil {
		return err
	}
	defer pool.Close()
	reader := ledger.NewReader(pool)
	if _, err := reader.Wallet(cmd.Context(), id); err != nil {
		return err
	}
	entries, err := reader.History(cmd.Context(), id, opts)
	if err != nil {
		return err
	}
	if err := output.Write(f.streams.Out, format.Format, historyResult(id, entries, opts.Limit)); err != nil {
		return err
	}
	if len(entries) == opts.Limit && format.Format == output.FormatTable {
		fmt.Fprintf(f.streams.Err, "older entries: add --before-seq=%d\n", entries[len(entries)-1].Seq)
	}
	return nil
}

type historyDocument struct {
	SchemaVersion int         `json:"schema_version"`
	WalletID      uuid.UUID   `json:"wallet_id"`
	Entries       []entryItem `json:"entries"`
	// NextBeforeSeq is the --before-seq of the next page; null on the last.
	NextBeforeSeq *int64 `json:"next_before_seq"`
}

type entryItem struct {
	Seq         int64            `json:"seq"`
	Kind        walletcore.Kind  `json:"kind"`
	ExternalID  string           `json:"external_id"`
	Mark        walletcore.Mark  `json:"mark,omitempty"`
	RealBefore  walletcore.Money `json:"real_before"`
	RealAfter   walletcore.Money `json:"real_after"`
	BonusBefore walletcore.Money `json:"bonus_before"`
	BonusAfter  walletcore.Money `json:"bonus_after"`
	Reference   string           `json:"reference,omitempty"`
	RoundID     string           `json:"round_id,omitempty"`
	Actor       string           `json:"actor"`
	Details     json.RawMessage  `json:"details,omitempty"`
	OccurredAt  time.Time        `json:"occurred_at"`
	RecordedAt  time.Time        `json:"recorded_at"`
	KeyID       int16            `json:"key_id"`
	Hash        string           `json:"hash"` // hex
}

func historyResult(id uuid.UUID, entries []walletcore.Entry, limit int) output.Result {
	document := historyDocument{SchemaVersion: 1, WalletID: id, Entries: []entryItem{}}
	table := output.Table{Columns: output.Columns(
		">seq", "recorded_at", "kind", "external_id", ">real_change", ">real_after", ">bonus_change", ">bonus_after", "actor", "mark")}
	for i := range entries {
		e := &entries[i]
		document.Entries = append(document.Entries, entryOf(e))
		table.Add(strconv.FormatInt(e.Seq, 10), instant(e.RecordedAt), string(e.Kind), e.ExternalID,
			e.Real().String(), e.RealAfter.String(), e.Bonus().String(), e.BonusAfter.String(), e.Actor, string(e.Mark))
	}
	if len(entries) > 0 && len(entries) == limit {
		document.NextBeforeSeq = &entries[len(entries)-1].Seq
	}
	return output.Result{JSON: document, CSV: table}
}

func entryOf(e *walletcore.Entry) entryItem {
	return entryItem{
		Seq: e.Seq, Kind: e.Kind, ExternalID: e.ExternalID, Mark: e.Mark,
		RealBefore: e.RealBefore, RealAfter: e.RealAfter, BonusBefore: e.BonusBefore, BonusAfter: e.BonusAfter,
		Reference: e.Reference, RoundID: e.RoundID, Actor: e.Actor, Details: e.Details,
		OccurredAt: e.OccurredAt, RecordedAt: e.RecordedAt, KeyID: e.KeyID, Hash: hex.EncodeToString(e.Hash[:]),
	}
}
