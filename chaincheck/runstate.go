package chaincheck

import (
	"errors"
	"fmt"
	"sync"

	"github.com/google/uuid"
)

// openState locks the state directory and opens the checkpoint.
func (r *run) openState() error {
	if r.options.StateDir == "" {
		r.note("there is no state directory: entries cut off the end of a chain cannot be seen")
		return nil
	}
	var err error
	if r.state, err = openState(r.options.StateDir); err != nil {
		return err
	}
	r.keep = true
	r.report.Checkpoint.Path = r.state.path()
	r.checkpoint, err = openCheckpoint(r.state.path(), r.deps.Keys)
	var bad *CheckpointError
	switch {
	case errors.As(err, &bad):
		r.keep = false
		r.warn(WarnCheckpoint, err.Error())
	case err != nil:
		return err
	case r.deps.Keys == nil:
		r.keep = false
		r.warn(WarnCheckpointKeys, "the checkpoint was neither verified nor moved forward: there is no key file")
	case r.checkpoint.file == nil:
		r.note("there was no checkpoint yet: this run begins one")
	}
	r.describeCheckpoint()
	return nil
}

func (r *run) describeCheckpoint() {
	c := &r.report.Checkpoint
	c.Used, c.Verified = r.checkpoint.trusted(), r.checkpoint.verified
	c.LastGood, c.Wallets = r.checkpoint.lastGood, r.checkpoint.records
}

// placeCheckpoint leaves the checkpoint aside where the replica has not come as
// far as the one that it was made on: what that one saw may be missing here
// and be nobody's fault.
func (r *run) placeCheckpoint(s *replicaState) {
	r.position = s.position
	if r.checkpoint.file == nil || s.position >= r.checkpoint.position {
		return
	}
	r.checkpoint.ignored, r.keep = true, false
	r.warn(WarnBehind, fmt.Sprintf("the server stands at %s, before the position of the last run (%s): either it is behind "+
		"another replica, or it was restored from a backup. Try: the replica of the last run, or move the checkpoint away",
		s.ReplayLSN, position(r.checkpoint.position)))
	r.describeCheckpoint()
}

func position(p uint64) string { return fmt.Sprintf("%X/%X", p>>32, uint32(p)) }

func (r *run) closeState() {
	r.checkpoint.close()
	if r.state != nil {
		r.state.close()
	}
}

// writeCheckpoint puts the new checkpoint in the old one's place.
func (r *run) writeCheckpoint(parts []segment) {
	if !r.keep || r.tally.now.WalletsChecked == 0 {
		return
	}
	lastGood := r.checkpoint.lastGood
	if r.good() && !r.options.limited() {
		lastGood = r.goodUntil
	}
	n, err := r.state.writeCheckpoint(wholeSegments(parts), r.checkpoint, r.deps.Keys, lastGood, max(r.position, r.checkpoint.position))
	if err != nil {
		r.placesFailed(err)
		return
	}
	c := &r.report.Checkpoint
	c.Advanced, c.LastGood, c.Wallets = true, lastGood, n
}

// good reports whether the run found nothing and read everything.
func (r *run) good() bool {
	if r.tally.broken > 0 || r.tally.unreadCount > 0 {
		return false
	}
	for _, w := range r.report.Warnings {
		if w.Code.unknown() {
			return false
		}
	}
	return true
}

func (r *run) placesFailed(err error) {
	r.warnOnce.Do(func() {
		r.warn(WarnCheckpointWrite, "the checkpoint was not moved forward: "+err.Error())
	})
}

// idSet is a bounded set that goroutines share.
type idSet struct {
	mu  sync.Mutex
	ids map[uuid.UUID]bool
}

// add reports whether the id is new. A full set takes none any more.
func (s *idSet) add(id uuid.UUID) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ids == nil {
		s.ids = map[uuid.UUID]bool{}
	}
	if s.ids[id] || len(s.ids) >= 10*maxOrphans {
		return false
	}
	s.ids[id] = true
	return true
}
