package command

import (
	"fmt"
	"time"

	"github.com/schollz/progressbar/v3"

	"github.com/walletctl/walletctl/replay"
)

// progressEvery is how often a run tells how far it is where no terminal shows
// a bar.
const progressEvery = 10 * time.Second

// replayProgress tells how far a bulk replay is and how fast: a bar on a
// terminal, lines elsewhere.
type replayProgress struct {
	f      *factory
	bar    *progressbar.ProgressBar
	began  time.Time
	told   time.Time
	failed int
}

func newReplayProgress(f *factory, all int) *replayProgress {
	p := &replayProgress{f: f, began: f.now(), told: f.now()}
	if f.streams.ErrTerminal && all > 1 {
		p.bar = progressbar.NewOptions(all,
			progressbar.OptionSetWriter(f.streams.Err),
			progressbar.OptionSetWidth(30),
			progressbar.OptionShowCount(),
			progressbar.OptionShowIts(),
			progressbar.OptionSetItsString("replays"),
			progressbar.OptionThrottle(100*time.Millisecond),
			progressbar.OptionClearOnFinish(),
		)
		p.bar.Describe("sending again")
	}
	return p
}

func (p *replayProgress) update(r replay.Result, done, all int) {
	if !r.OK() {
		p.failed++
	}
	if p.bar != nil {
		if !r.OK() {
			p.bar.Describe(fmt.Sprintf("sending again, %d not done", p.failed))
		}
		_ = p.bar.Set(done) // a terminal that went away is no reason to stop
		return
	}
	now := p.f.now()
	if now.Sub(p.told) < progressEvery && (done < all || all == 1) {
		return
	}
	p.told = now
	rate := int64(done) * int64(time.Second) / max(int64(now.Sub(p.began)), 1)
	fmt.Fprintf(p.f.streams.Err, "%d of %d, %d of them not done, %d a second\n", done, all, p.failed, rate)
}

// clear takes the bar off the screen before the result is written.
func (p *replayProgress) clear() {
	if p.bar != nil {
		_ = p.bar.Clear()
	}
}
