package command

import (
	"time"

	"github.com/schollz/progressbar/v3"

	"github.com/walletctl/walletctl/chaincheck"
	"github.com/walletctl/walletctl/cmd/walletctl/internal/output"
)

// progress is a bar on stderr, where a person looks at it; else nothing.
type progress struct {
	streams output.Streams
	bar     *progressbar.ProgressBar
}

func newProgress(streams output.Streams) *progress { return &progress{streams: streams} }

// show returns what the check calls, or nil where nobody looks.
func (p *progress) show() func(chaincheck.Progress) {
	if !p.streams.ErrTerminal {
		return nil
	}
	return p.update
}

// update shows entries where their number is known, else wallets. Totals are
// estimates: a bar that is full goes on counting.
func (p *progress) update(now chaincheck.Progress) {
	done, total, unit := now.WalletsChecked, now.WalletsTotal, "wallets"
	if now.EntriesTotal > 0 {
		done, total, unit = now.EntriesChecked, now.EntriesTotal, "entries"
	}
	total = max(total, done+1)
	if p.bar == nil {
		p.bar = newBar(p.streams, total)
	}
	p.bar.Describe(description(unit, now.Suspects))
	p.bar.ChangeMax64(total)
	_ = p.bar.Set64(done) // a terminal that went away is no reason to stop
}

// newBar makes a bar of a known length: one without draws itself from a
// goroutine of its own, which races with whoever moves it.
func newBar(streams output.Streams, total int64) *progressbar.ProgressBar {
	return progressbar.NewOptions64(total,
		progressbar.OptionSetWriter(streams.Err),
		progressbar.OptionSetWidth(30),
		progressbar.OptionShowCount(),
		progressbar.OptionThrottle(100*time.Millisecond),
		progressbar.OptionClearOnFinish(),
	)
}

func description(unit string, suspects int64) string {
	if suspects == 0 {
		return "checking " + unit
	}
	return "checking " + unit + ", " + number(suspects) + " broken wallets"
}

// clear takes the bar off the screen before the result is written.
func (p *progress) clear() {
	if p.bar != nil {
		_ = p.bar.Clear()
	}
}
