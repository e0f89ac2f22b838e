package command

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/walletctl/walletctl/cmd/walletctl/internal/output"
	"github.com/walletctl/walletctl/walletcore/pgtx"
)

const defaultPage = 50

// pageFlags choose one page of a list of payments, the newest first.
type pageFlags struct {
	payments string // what is listed: deposits, withdrawals
	format   *output.Choice
	brand    string
	user     string
	status   string
	gateway  string
	since    when
	until    when
	limit    int
	after    string
}

// newPageFlags gives a command the flags of a page of payments.
func newPageFlags(f *factory, cmd *cobra.Command, payments string, statuses []string) *pageFlags {
	p := &pageFlags{payments: payments, format: output.NewChoice(), since: when{now: f.now}, until: when{now: f.now}}
	flags := cmd.Flags()
	flags.StringVar(&p.brand, "brand", "", payments+" of one brand")
	flags.StringVar(&p.user, "user", "", payments+" of one user (with --brand)")
	flags.StringVar(&p.status, "status", "", payments+" in one status")
	flags.StringVar(&p.gateway, "gateway", "", payments+" through one gateway")
	flags.Var(&p.since, "since", "created at or after: "+whenUsage)
	flags.Var(&p.until, "until", "created before: "+whenUsage)
	flags.IntVar(&p.limit, "limit", defaultPage, fmt.Sprintf("%s to show, at most %d", payments, pgtx.MaxPage))
	flags.StringVar(&p.after, "after", "", "show "+payments+" older than this id: the next page")
	complete(cmd, "status", statuses...)
	addOutput(cmd, p.format)
	return p
}

// pageOf is what the flags choose. No page at all, --limit 0, cannot be meant.
func pageOf[S pgtx.Status](p *pageFlags) (pgtx.Page[S], error) {
	page := pgtx.Page[S]{
		Brand: p.brand, User: p.user, Status: S(p.status), Gateway: p.gateway,
		Since: p.since.at, Until: p.until.at, After: p.after, Limit: p.limit,
	}
	if p.limit == 0 {
		page.Limit = -1
	}
	if err := page.Validate(); err != nil {
		return page, &usageError{err: fmt.Errorf("--%w", err)}
	}
	return page, nil
}

// next is the id that the next page comes after, nil where this is the last.
func (p *pageFlags) next(shown int, last func() string) *string {
	if shown == 0 || shown < p.limit {
		return nil
	}
	id := last()
	return &id
}

// write shows the page, and people how to see the next one.
func (p *pageFlags) write(f *factory, result output.Result, next *string) error {
	if err := output.Write(f.streams.Out, p.format.Format, result); err != nil {
		return err
	}
	if next != nil && p.format.Format == output.FormatTable {
		fmt.Fprintf(f.streams.Err, "older %s: add --after=%s\n", p.payments, output.Safe(*next))
	}
	return nil
}

// clipped keeps a long text from making a table unreadable; "show" has all of
// it.
func clipped(text string) string {
	const most = 60
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most-1]) + "…"
	}
	return text
}
