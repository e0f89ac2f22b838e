package chaincheck

import (
	"fmt"
	"time"

	"github.com/google/uuid"
)

const (
	// sliceTime and slicePages are how much of a table one statement sweeps at
	// first, leastTime and leastPages how much where recovery keeps cancelling.
	sliceTime  = 15 * time.Minute
	leastTime  = 5 * time.Second
	slicePages = 1_024
	leastPages = 4
)

// slice is a part of a table that one statement sweeps: entries by the time at
// which they were recorded, which the BRIN index selects, or by pages; receipts
// by pages.
type slice struct {
	table   string // e entries, r receipts
	by      sliceKind
	from    int64 // microseconds since 1970, or a page; included
	to      int64 // not included
	wallet  uuid.UUID
	seq     int64
	orphans bool // look for entries without a wallet as well
}

type sliceKind int

const (
	byTime sliceKind = iota
	byPage
	byWallet // all entries of a wallet
	byEntry  // one entry
)

func timeSlice(from, to time.Time) slice {
	return slice{table: "e", from: from.UnixMicro(), to: to.UnixMicro()}
}

func pageSlice(table string, page int64) slice {
	return slice{table: table, by: byPage, from: page, to: page + slicePages}
}

func (s *slice) condition() string {
	switch s.by {
	case byTime:
		return fmt.Sprintf(`e.recorded_at >= %s and e.recorded_at < %s`,
			timeLiteral(time.UnixMicro(s.from)), timeLiteral(time.UnixMicro(s.to)))
	case byPage:
		return fmt.Sprintf(`%[1]s.ctid >= '(%[2]d,0)' and %[1]s.ctid < '(%[3]d,0)'`, s.table, s.from, s.to)
	case byEntry:
		return fmt.Sprintf(`e.wallet_id = '%s' and e.seq = %d`, s.wallet, s.seq)
	}
	return fmt.Sprintf(`e.wallet_id = '%s'`, s.wallet)
}

// halves cuts the slice in two, where it is large enough.
func (s *slice) halves() (a, b slice, ok bool) {
	least := int64(leastPages)
	if s.by == byTime {
		least = leastTime.Microseconds()
	}
	if s.by > byPage || s.to-s.from < 2*least {
		return a, b, false
	}
	a, b = *s, *s
	a.to = s.from + (s.to-s.from)/2
	b.from = a.to
	return a, b, true
}
