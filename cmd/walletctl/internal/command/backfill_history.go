package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/spf13/cobra"

	"github.com/walletctl/walletctl/backfill/history"
	"github.com/walletctl/walletctl/backfill/legacy"
	"github.com/walletctl/walletctl/cmd/internal/hint"
	"github.com/walletctl/walletctl/cmd/walletctl/internal/output"
	"github.com/walletctl/walletctl/walletcore/record"
)

// historyConns: one holds the lock of the run, one reads, the others write.
const historyConns = 8

// historySource is what plan and run read.
type historySource struct {
	brand        string
	mapping      string
	query        string
	since, until when
	unkeyed      bool
	tempDir      string
	batch        int
	format       *output.Choice
}

func newHistorySource(f *factory) historySource {
	return historySource{since: when{now: f.now}, until: when{now: f.now}, format: output.NewChoice()}
}

func (h *historySource) addFlags(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&h.brand, "brand", "", "whose history it is")
	flags.StringVar(&h.mapping, "mapping", "walletctl", "how it is written: a file, or the name of a ready mapping")
	flags.StringVar(&h.query, "from-query", "", "a query on LEGACY_DATABASE_URL instead of files, with an order by")
	flags.Var(&h.since, "since", "only movements from then on; what is older may come in later: "+whenUsage)
	flags.Var(&h.until, "until", "only movements before then: "+whenUsage)
	flags.BoolVar(&h.unkeyed, "unkeyed", false, "give rows without an id one that is made of their content, and mark them")
	flags.StringVar(&h.tempDir, "temp-dir", "", "where rows are sorted, with room for the plain source")
	flags.IntVar(&h.batch, "batch", 0, "movements of one transaction (default 2000)")
	_ = cmd.MarkFlagRequired("brand")
	addOutput(cmd, h.format)
}

// check wants either files or a query.
func (h *historySource) check(_ *cobra.Command, paths []string) error {
	switch {
	case len(paths) == 0 && h.query == "":
		return errors.New("name files or directories, - for standard input, or --from-query")
	case len(paths) > 0 && h.query != "":
		return errors.New("give files or --from-query, not both")
	}
	return nil
}

// options reads the mapping and names the sources: files, directories, or - for
// standard input.
func (h *historySource) options(f *factory, paths []string) (history.Options, error) {
	mapping, err := loadMapping(h.mapping)
	if err != nil {
		return history.Options{}, err
	}
	if err := mapping.Require("user", "currency", "kind", "real", "time"); err != nil {
		return history.Options{}, err
	}
	host, _ := os.Hostname()
	o := history.Options{
		Brand: h.brand, Mapping: mapping, Since: h.since.at, Until: h.until.at, Unkeyed: h.unkeyed, TempDir: h.tempDir,
		BatchRows: h.batch, Host: host,
	}
	for _, path := range paths {
		source := record.Path(path)
		if path == "-" {
			source = record.Stream("stdin", io.NopCloser(f.streams.In))
		}
		o.Sources = append(o.Sources, source)
	}
	return o, nil
}

// withHistory opens what plan and run need. Progress is shown while do works.
func (h *historySource) withHistory(ctx context.Context, f *factory, paths []string,
	do func(ctx context.Context, pool *pgxpool.Pool, s settings, o history.Options) error,
) error {
	o, err := h.options(f, paths)
	if err != nil {
		return err
	}
	s, err := f.settings()
	if err != nil {
		return err
	}
	pool, err := f.open(ctx, s, "GAMING_DATABASE_URL", s.GamingURL, historyConns)
	if err != nil {
		return err
	}
	defer pool.Close()
	if h.query != "" {
		old, err := openLegacy(ctx, f)
		if err != nil {
			return err
		}
		defer old.Close()
		o.Records = func(ctx context.Context) (history.Feed, error) {
			return legacy.Open(ctx, legacy.Options{Pool: old, Query: h.query, Mapping: o.Mapping})
		}
	}
	bar := newHistoryProgress(f)
	o.Progress = bar.update
	defer bar.clear()
	return historyHint(do(ctx, pool, s, o))
}

func historyHint(err error) error {
	var rows *history.RowsError
	switch {
	case errors.Is(err, history.ErrRunning):
		return hint.With(err, "wait until it has ended, and run the same command again")
	case errors.As(err, &rows):
		return hint.With(err, "walletctl backfill plan lists them; correct the mapping, or the source at its origin")
	case errors.Is(err, history.ErrClosed):
		return hint.With(err, "walletctl backfill open")
	}
	return err
}

// historyProgress is a bar on a terminal, and elsewhere a line now and then.
type historyProgress struct {
	f     *factory
	bar   *openingProgress
	phase string
	began time.Time
	said  time.Time
}

func newHistoryProgress(f *factory) *historyProgress {
	return &historyProgress{f: f, bar: &openingProgress{streams: f.streams}}
}

func (p *historyProgress) update(now history.Progress) {
	done, all := now.Rows, now.Total
	if now.Phase == "read" {
		done, all = now.Read, now.Size
	}
	if now.Phase != p.phase {
		p.phase, p.began, p.said = now.Phase, p.f.now(), p.f.now()
		p.bar.clear()
		p.bar.begin(all)
		if p.bar.bar != nil {
			p.bar.bar.Describe(now.Phase)
		}
	}
	if p.bar.bar != nil {
		_ = p.bar.bar.Set64(done)
		return
	}
	if p.f.now().Sub(p.said) >= 10*time.Second {
		p.said = p.f.now()
		fmt.Fprintln(p.f.streams.Err, progressLine(now.Phase, done, all, p.f.now().Sub(p.began)))
	}
}

// progressLine says how far, how fast, and how long it will take.
func progressLine(phase string, done, all int64, took time.Duration) string {
	unit := "rows"
	if phase == "read" {
		unit = "bytes"
	}
	rate := done * 1000 / max(took.Milliseconds(), 1)
	if all <= 0 || rate <= 0 {
		return fmt.Sprintf("%s: %s %s, %s a second", phase, number(done), unit, number(rate))
	}
	left := time.Duration(max(all-done, 0)/rate) * time.Second
	return fmt.Sprintf("%s: %s of %s %s, %s a second, %s left", phase, number(done), number(all), unit, number(rate), left)
}

func (p *historyProgress) clear() { p.bar.clear() }
