package ledger

import (
	"sync"
	"sync/atomic"

	"github.com/walletctl/walletctl/walletcore"
)

// Stats counts what a ledger did since it was made.
type Stats struct {
	Applied       atomic.Int64 // movements that moved money
	Replayed      atomic.Int64 // movements that stood there already
	Conflicts     atomic.Int64 // keys that came with other content
	Refused       atomic.Int64 // movements refused by a rule
	NotLive       atomic.Int64 // movements of brands that are not live
	Opened        atomic.Int64 // wallets that this ledger asked to be born
	Retries       atomic.Int64 // transactions tried again: contention or a lost connection
	Duplicates    atomic.Int64 // of these, unique violations: the index had the last word
	UnknownCommit atomic.Int64 // of these, connections lost during COMMIT
	Unavailable   atomic.Int64 // batches given up
	CasesOpened   atomic.Int64 // work for a person
	CasesLost     atomic.Int64 // cases that could not be opened
}

// count reports whether any movement was refused.
func (s *Stats) count(outcomes []Outcome) (refused bool) {
	for i := range outcomes {
		switch outcomes[i].Err.(type) {
		case nil:
			if outcomes[i].Posted.Replayed {
				s.Replayed.Add(1)
			} else {
				s.Applied.Add(1)
			}
		case *walletcore.ConflictError:
			s.Conflicts.Add(1)
			refused = true
		case *walletcore.NotLiveError:
			s.NotLive.Add(1)
		default:
			s.Refused.Add(1)
			refused = true
		}
	}
	return refused
}

// hasherPool lends hashers: one costs more to make than to use.
type hasherPool struct {
	keys *walletcore.Keyring
	pool sync.Pool
}

func (p *hasherPool) get() *walletcore.Hasher {
	if h, ok := p.pool.Get().(*walletcore.Hasher); ok {
		return h
	}
	return p.keys.Hasher()
}

func (p *hasherPool) put(h *walletcore.Hasher) { p.pool.Put(h) }
