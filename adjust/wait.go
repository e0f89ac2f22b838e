package adjust

import (
	"context"
	"time"
)

const pollEvery = 100 * time.Millisecond

// Wait returns the adjustment when it has ended, or as it stood when it was last
// seen before ctx ended: gaming goes on with what is approved. The error says
// why it was never seen.
func (d *Desk) Wait(ctx context.Context, id string) (Adjustment, error) {
	ticker := time.NewTicker(pollEvery)
	defer ticker.Stop()
	var last Adjustment
	for {
		a, err := d.Find(ctx, id)
		switch {
		case err == nil && a.State.Ended():
			return a, nil
		case err == nil:
			last = a
		}
		select {
		case <-ctx.Done():
			if last.ID == "" {
				return last, err
			}
			return last, nil
		case <-ticker.C:
		}
	}
}
