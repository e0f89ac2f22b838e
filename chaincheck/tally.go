package chaincheck

import (
	"sync"
	"time"

	"github.com/google/uuid"

	"github.com/walletctl/walletctl/walletcore"
)

const (
	// maxConfirmed is how many broken wallets are read a second time. Beyond it
	// nobody doubts that something is wrong, and the run shall still end.
	maxConfirmed = 2_000
	maxUnread    = 100
	noCurrency   = "?"
)

// tally is what all workers together have found.
type tally struct {
	mu          sync.Mutex
	maxFindings int
	findings    []Finding
	byKind      map[Kind]int64
	omitted     int64
	broken      int64
	brokenIDs   map[uuid.UUID]bool
	doubt       map[string]walletcore.Money
	unread      []UnreadRange
	unreadCount int64
	keys        map[int16]bool
	kinds       map[walletcore.Kind]bool

	progress   func(Progress)
	progressAt time.Time
	now        Progress
	verified   int64
	unverified int64
}

func newTally(options *Options) *tally {
	return &tally{
		maxFindings: options.MaxFindings,
		byKind:      map[Kind]int64{},
		brokenIDs:   map[uuid.UUID]bool{},
		doubt:       map[string]walletcore.Money{},
		keys:        map[int16]bool{},
		kinds:       map[walletcore.Kind]bool{},
		progress:    options.Progress,
	}
}

// addWallet counts the findings of one wallet; extra are those that were too
// many to keep.
func (t *tally) addWallet(findings []Finding, extra int64) {
	if len(findings) == 0 {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.countWallet(findings[0].WalletID)
	for i := range findings {
		t.add(&findings[i])
	}
	t.omitted += extra
	t.byKind[findings[len(findings)-1].Kind] += extra
}

// countWallet counts a wallet once, however many parts of the run find it
// broken; beyond maxConfirmed nobody counts that exactly.
func (t *tally) countWallet(id uuid.UUID) {
	if t.brokenIDs[id] {
		return
	}
	if len(t.brokenIDs) < maxConfirmed {
		t.brokenIDs[id] = true
	}
	t.broken++
	t.now.Suspects = t.broken
}

func (t *tally) add(f *Finding) {
	t.byKind[f.Kind]++
	currency := f.Currency
	if currency == "" {
		currency = noCurrency
	}
	if !f.doubt.IsZero() {
		t.doubt[currency] = t.doubt[currency].Add(absolute(f.doubt))
	}
	if len(t.findings) < t.maxFindings {
		t.findings = append(t.findings, *f)
	} else {
		t.omitted++
	}
}

func absolute(m walletcore.Money) walletcore.Money {
	if m.Sign() < 0 {
		return m.Neg()
	}
	return m
}

// enough reports whether broken wallets need no second reading any more.
func (t *tally) enough() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.broken >= maxConfirmed
}

// addUnread notes a part that could not be read.
func (t *tally) addUnread(from, to uuid.UUID, part string, err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.unreadCount++
	if len(t.unread) < maxUnread {
		t.unread = append(t.unread, UnreadRange{From: from, To: to, Part: part, Reason: err.Error()})
	}
}

// collect adds what a verifier has counted, and begins its counts anew.
func (t *tally) collect(v *verifier, wallets int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.now.WalletsChecked += int64(wallets)
	t.now.EntriesChecked += v.entries
	t.verified += v.verified
	t.unverified += v.unverified
	v.entries, v.verified, v.unverified = 0, 0, 0
	for id := range v.unknownKeys {
		t.keys[id] = true
	}
	for kind := range v.unknownKinds {
		t.kinds[kind] = true
	}
	t.show(false)
}

// addPast adds what was followed of the older history.
func (t *tally) addPast(p *Past) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.now.EntriesChecked += p.Entries
	t.verified += p.Verified
	t.unverified += p.Unverified
}

func (t *tally) rangeDone() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.now.RangesDone++
	t.show(t.now.RangesDone == t.now.Ranges)
}

// show tells the caller of the run how far it is, five times a second at most.
func (t *tally) show(always bool) {
	const often = 200 * time.Millisecond
	if t.progress == nil || !always && time.Since(t.progressAt) < often {
		return
	}
	t.progressAt = time.Now()
	t.progress(t.now)
}
