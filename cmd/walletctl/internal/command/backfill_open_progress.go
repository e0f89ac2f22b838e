package command

import (
	"github.com/schollz/progressbar/v3"

	"github.com/walletctl/walletctl/backfill"
	"github.com/walletctl/walletctl/cmd/walletctl/internal/output"
)

// openingProgress is a bar on stderr, where a person looks at it; else nothing.
type openingProgress struct {
	streams output.Streams
	bar     *progressbar.ProgressBar
}

func (p *openingProgress) begin(wallets int64) {
	if p.streams.ErrTerminal {
		p.bar = newBar(p.streams, max(wallets, 1))
		p.bar.Describe("bringing wallets in")
	}
}

func (p *openingProgress) update(done backfill.Brought) {
	if p.bar != nil {
		_ = p.bar.Set64(done.In + done.Present + done.Refused)
	}
}

// clear takes the bar off the screen before the result is written.
func (p *openingProgress) clear() {
	if p.bar != nil {
		_ = p.bar.Clear()
	}
}
