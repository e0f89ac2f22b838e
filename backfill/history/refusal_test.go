package history_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/backfill/history"
	"github.com/walletctl/walletctl/walletcore"
	"github.com/walletctl/walletctl/walletcore/record"
)

// lines are the rows of a source, without its header.
func (p *past) lines() []string { return strings.Split(strings.TrimSpace(p.csv()), "\n")[1:] }

func source(lines []string) string { return header + "\n" + strings.Join(lines, "\n") + "\n" }

// unbalanced leaves out what the rows say of balances.
func (p *past) unbalanced() []string {
	lines := p.lines()
	for i, line := range lines {
		fields := strings.Split(line, ",")
		fields[7], fields[8] = "", ""
		lines[i] = strings.Join(fields, ",")
	}
	return lines
}

func TestRun_AWalletThatDoesNotFitIsRefusedWholeAndTheOthersGoOn(t *testing.T) {
	t.Parallel()
	p := live(7, 4, 20)
	rowOf := func(n int) int { // the n-th row of player-1
		return slices.Index(p.lines(), p.of("player-1")[n].line())
	}
	for name, test := range map[string]struct {
		lines  func() []string
		change func(*history.Options)
		reason history.Reason
		detail string
		real   string
	}{
		"a row is missing": {
			lines:  func() []string { return slices.Delete(p.unbalanced(), rowOf(19), rowOf(19)+1) },
			reason: history.ReasonOpen, detail: "the ledger goes on from", real: p.of("player-1")[19].real.String(),
		},
		"a row shows another balance": {
			lines: func() []string {
				lines := p.lines()
				lines[rowOf(5)] = strings.Replace(lines[rowOf(5)], p.of("player-1")[5].after.Real.String(), "1.00000000", 1)
				return lines
			},
			reason: history.ReasonBalance, detail: "shows real 1.00000000",
		},
		"rows in another order": {
			lines: func() []string {
				lines := p.lines()
				lines[rowOf(5)], lines[rowOf(6)] = lines[rowOf(6)], lines[rowOf(5)]
				return lines
			},
			reason: history.ReasonBalance, detail: "its movements make",
		},
		"the same row twice": {
			lines:  func() []string { return append(p.lines(), p.lines()[rowOf(5)]) },
			reason: history.ReasonDuplicate, detail: "the same in every field",
		},
		"the same key with another amount": {
			lines: func() []string {
				return append(p.lines(), strings.Replace(p.lines()[rowOf(0)], "deposit,"+p.of("player-1")[0].id+","+p.of("player-1")[0].real.String(),
					"deposit,"+p.of("player-1")[0].id+",3.00000000", 1))
			},
			reason: history.ReasonConflict, detail: "with another content",
		},
		"a row from tomorrow": {
			lines: func() []string {
				lines := p.lines()
				m := *p.of("player-1")[19]
				m.at = time.Now().Add(24 * time.Hour).UTC()
				lines[rowOf(19)] = m.line()
				return lines
			},
			reason: history.ReasonNewer, detail: "the ledger begins at",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newSuite(t, p)
			change := test.change
			if change == nil {
				change = func(*history.Options) {}
			}
			text := source(test.lines())
			plan := s.plan(text, change)
			require.EqualValues(t, 1, plan.Refused)
			require.EqualValues(t, 3, plan.Closes)
			result, err := s.run(text, change)
			require.NoError(t, err)
			require.EqualValues(t, 3, result.Written)
			require.Equal(t, plan.Refusals, result.First, "the plan says what the run does")
			refusal := result.First[0]
			require.Equal(t, "player-1", refusal.User)
			require.Equal(t, test.reason, refusal.Reason, refusal.Detail)
			require.Contains(t, refusal.Detail, test.detail)
			require.Regexp(t, `history\.csv:\d+$`, refusal.Position)
			if test.real != "" {
				require.Equal(t, test.real, refusal.Real.String())
			}
			require.Len(t, s.entries(), 60)
			require.Equal(t, 1, s.count(`select count(*) from gaming.history_refusals`))
			report := s.verify()
			require.False(t, report.Proved())
			s.requireBalances()

			fixed, err := s.run(p.csv())
			require.NoError(t, err)
			require.EqualValues(t, 1, fixed.Written, "the corrected source brings in what was refused")
			require.EqualValues(t, 3, fixed.Skipped)
			report = s.verify()
			require.True(t, report.Proved(), "%+v", report.Imports)
		})
	}
}

// A double credit that truly happened is evidence: the balances prove it.
func TestRun_ADoubleCreditIsKeptUnderAMarkedKey(t *testing.T) {
	t.Parallel()
	p := live(8, 2, 10)
	m := p.movements[0]
	m.at = p.movements[len(p.movements)-1].at.Add(time.Second)
	before := p.balances[m.user]
	m.after = walletcore.Parts{Real: before.Real.Add(m.real), Bonus: before.Bonus}
	p.balances[m.user] = m.after
	p.movements = append(p.movements, m)
	s := newSuite(t, p)
	refused, err := s.run(p.csv())
	require.NoError(t, err)
	require.Equal(t, history.ReasonConflict, refused.First[0].Reason)

	kept, err := s.run(p.csv(), func(o *history.Options) { o.Mapping.Duplicates = record.DuplicatesKept })
	require.NoError(t, err)
	require.EqualValues(t, 1, kept.Doubled)
	require.Equal(t, 1, s.count(`select count(*) from gaming.entries where mark = 'duplicate' and external_id = $1`, m.id+"~2"))
	s.requireBalances()
}

func TestRun_RowsWithoutAnIDAreRefusedOrGetADeterministicOne(t *testing.T) {
	t.Parallel()
	p := live(9, 2, 10)
	p.movements[4].id, p.movements[5].id = "", ""
	s := newSuite(t, p)
	_, err := s.run(p.csv())
	var rows *history.RowsError
	require.ErrorAs(t, err, &rows)
	require.Contains(t, rows.First, "--unkeyed")
	unkeyed := func(o *history.Options) { o.Unkeyed = true }
	result, err := s.run(p.csv(), unkeyed)
	require.NoError(t, err)
	require.EqualValues(t, 2, result.Scanned.Unkeyed)
	require.Equal(t, 2, s.count(`select count(*) from gaming.entries where mark = 'unkeyed' and external_id like 'row:%'`))
	other := newSuite(t, p)
	_, err = other.run(p.csv(), unkeyed)
	require.NoError(t, err)
	require.Equal(t, s.entries(), other.entries())
	s.requireBalances()
}

func TestRun_BadRowsStopItBeforeAnythingIsWritten(t *testing.T) {
	t.Parallel()
	p := live(10, 2, 10)
	s := newSuite(t, p)
	for name, bad := range map[string]string{
		"an amount":   "legacy,player-1,EUR,bet,old:x,1e3,0,,,,,2024-05-01T00:00:00Z",
		"a kind":      "legacy,player-1,EUR,loan,old:x,-1,0,,,,,2024-05-01T00:00:00Z",
		"a direction": "legacy,player-1,EUR,bet,old:x,1,0,,,,,2024-05-01T00:00:00Z",
		"a time":      "legacy,player-1,EUR,bet,old:x,-1,0,,,,,yesterday",
		"a width":     "legacy,player-1",
	} {
		text := p.csv() + bad + "\n"
		_, err := s.run(text)
		var rows *history.RowsError
		require.ErrorAs(t, err, &rows, name)
		require.Contains(t, rows.First, "history.csv:22", name)
		require.EqualValues(t, 1, s.plan(text).Scanned.BadRows, name)
	}
	require.Empty(t, s.entries())
	require.Zero(t, s.count(`select count(*) from gaming.history_imports`))
}

func TestRun_ACutFileIsRefused(t *testing.T) {
	t.Parallel()
	p := live(11, 2, 10)
	s := newSuite(t, p)
	text := p.csv()
	_, err := s.run(text[:len(text)-40] + `"`)
	require.Error(t, err)
	require.Empty(t, s.entries())
}

func TestRun_AKeyThatTheLedgerHasIsRefused(t *testing.T) {
	t.Parallel()
	p := live(12, 3, 12)
	s := newSuite(t, p)
	l := s.goLive()
	first := p.of("player-2")[0]
	other := walletcore.WalletKey{Brand: legacy, User: "newcomer", Currency: "EUR"}
	_, err := l.CreditDeposit(t.Context(), walletcore.DepositCredit{
		DepositID: first.id, Wallet: other, Amount: first.real, OccurredAt: time.Now(),
	})
	require.NoError(t, err)
	result, err := s.run(p.csv())
	require.NoError(t, err)
	require.EqualValues(t, 2, result.Written)
	require.Equal(t, history.ReasonTaken, result.First[0].Reason)
	require.Equal(t, "player-2", result.First[0].User)
	s.requireBalances()
}

func TestRun_TwoAtOnceExcludeEachOther(t *testing.T) {
	t.Parallel()
	p := live(13, 2, 10)
	s := newSuite(t, p)
	held := make(chan struct{})
	ended := make(chan error, 1)
	released := make(chan struct{})
	go func() {
		_, err := s.run(p.csv(), func(o *history.Options) {
			feed := o.Sources
			mapping := o.Mapping
			o.Records = func(ctx context.Context) (history.Feed, error) {
				close(held)
				<-released
				return record.Open(ctx, mapping, feed...)
			}
		})
		ended <- err
	}()
	<-held
	_, err := s.run(p.csv())
	require.ErrorIs(t, err, history.ErrRunning)
	close(released)
	require.NoError(t, <-ended)
	s.requireBalances()
}

func TestRun_AClosedBrandIsRefused(t *testing.T) {
	t.Parallel()
	p := live(14, 1, 3)
	s := newSuite(t, p)
	_, err := s.run(p.csv(), func(o *history.Options) { o.Brand = "never" })
	require.ErrorIs(t, err, history.ErrClosed)
}
