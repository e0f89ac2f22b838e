package ledger_test

import (
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/walletcore"
	"github.com/walletctl/walletctl/walletcore/ledger"
	"github.com/walletctl/walletctl/walletcore/wallettest"
)

// history is a wallet with n deposits, read as an auditor does.
func history(t *testing.T, n int) (*ledger.Reader, uuid.UUID, *bench) {
	t.Helper()
	b := newBench(t)
	for i := range n {
		_, err := b.credit(fmt.Sprintf("d-%02d", i+1), "1.5")
		require.NoError(t, err)
	}
	id := b.request("d", "1").Wallet.ID()
	return ledger.NewReader(b.db.Pool(t, wallettest.Auditor)), id, b
}

func seqs(entries []walletcore.Entry) []int64 {
	all := make([]int64, len(entries))
	for i, e := range entries {
		all[i] = e.Seq
	}
	return all
}

func TestWallet_StandsWhereItsLastEntrySays(t *testing.T) {
	t.Parallel()
	reader, id, _ := history(t, 3)

	wallet, err := reader.Wallet(t.Context(), id)
	require.NoError(t, err)
	entries, err := reader.History(t.Context(), id, ledger.HistoryOptions{Limit: 1})
	require.NoError(t, err)

	want := ledger.Wallet{
		ID:   id,
		Key:  walletcore.WalletKey{Brand: "acme", User: "u-1", Currency: "EUR"},
		Real: walletcore.MustParseMoney("4.5"),
		Seq:  3,
		Head: entries[0].Hash,
	}
	require.Empty(t, cmp.Diff(want, wallet, cmp.Comparer(func(a, b walletcore.Money) bool { return a == b })))
}

func TestWallet_UnknownIsNoWallet(t *testing.T) {
	t.Parallel()
	reader, _, _ := history(t, 0)

	_, err := reader.Wallet(t.Context(), uuid.New())
	require.ErrorIs(t, err, ledger.ErrNoWallet)

	entries, err := reader.History(t.Context(), uuid.New(), ledger.HistoryOptions{})
	require.NoError(t, err)
	require.Empty(t, entries)
}

func TestHistory_PagesFromNewestToOldestWithoutGapOrRepeat(t *testing.T) {
	t.Parallel()
	reader, id, _ := history(t, 6)

	var all []int64
	var before *int64
	for {
		page, err := reader.History(t.Context(), id, ledger.HistoryOptions{BeforeSeq: before, Limit: 3})
		require.NoError(t, err)
		if len(page) == 0 {
			break
		}
		require.LessOrEqual(t, len(page), 3)
		all = append(all, seqs(page)...)
		before = &page[len(page)-1].Seq
	}
	require.Equal(t, []int64{6, 5, 4, 3, 2, 1, 0}, all)
}

func TestHistory_ReturnsEntriesAsTheyWereSigned(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	request := b.request("d-1", "12.34")
	request.CorrelationID = "c-1"
	request.Details = json.RawMessage(`{ "b":1,  "a":2 }`)
	_, err := b.ledger.CreditDeposit(t.Context(), request)
	require.NoError(t, err)
	reader := ledger.NewReader(b.db.Pool(t, wallettest.Auditor))

	entries, err := reader.History(t.Context(), request.Wallet.ID(), ledger.HistoryOptions{})
	require.NoError(t, err)
	require.Len(t, entries, 2)
	credit, opening := entries[0], entries[1]
	sum, err := b.keys.Hasher().Sum(opening.Hash, &credit)
	require.NoError(t, err)
	require.Equal(t, credit.Hash, sum, "a field was not read as it was written")
	require.Equal(t, `{ "b":1,  "a":2 }`, string(credit.Details))
	require.Equal(t, "c-1", credit.Reference)
	require.Equal(t, time.UTC, credit.RecordedAt.Location())
}

func TestHistory_SelectsByKindAndTime(t *testing.T) {
	t.Parallel()
	reader, id, _ := history(t, 3)
	all, err := reader.History(t.Context(), id, ledger.HistoryOptions{})
	require.NoError(t, err)
	second := all[1].RecordedAt

	for name, c := range map[string]struct {
		opts ledger.HistoryOptions
		want []int64
	}{
		"kind":                 {ledger.HistoryOptions{Kind: walletcore.KindOpening}, []int64{0}},
		"a kind there is not":  {ledger.HistoryOptions{Kind: "gift"}, []int64{}},
		"since is included":    {ledger.HistoryOptions{Since: second}, []int64{3, 2}},
		"until is not":         {ledger.HistoryOptions{Until: second}, []int64{1, 0}},
		"both":                 {ledger.HistoryOptions{Since: second, Until: second.Add(time.Microsecond)}, []int64{2}},
		"with the page before": {ledger.HistoryOptions{Since: second, BeforeSeq: &all[0].Seq}, []int64{2}},
	} {
		entries, err := reader.History(t.Context(), id, c.opts)
		require.NoError(t, err, name)
		require.Equal(t, c.want, seqs(entries), name)
	}
}

func TestHistoryOptions_RefuseWhatNoEntryCanMeet(t *testing.T) {
	t.Parallel()
	reader := ledger.NewReader(nil)
	now := time.Now()

	for field, opts := range map[string]ledger.HistoryOptions{
		"limit": {Limit: ledger.MaxPage + 1},
		"until": {Since: now, Until: now},
	} {
		_, err := reader.History(t.Context(), uuid.New(), opts)
		var wrong *walletcore.FieldError
		require.ErrorAs(t, err, &wrong)
		require.Equal(t, field, wrong.Field)
	}
}
