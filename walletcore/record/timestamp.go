package record

import (
	"strconv"
	"strings"
	"time"
)

// The layouts with a name.
const (
	layoutRFC3339 = "rfc3339"
	layoutUnix    = "unix"
	layoutUnixMS  = "unix_ms"
)

const (
	foldFirst  = "first"
	foldSecond = "second"
)

// clock reads the times of a source.
type clock struct {
	Clock
	zone *time.Location // nil where the layout carries the offset
	// from, until and offset are a span of local times that are known to stand
	// once, as if they were UTC: nearly all rows fall into that of the row before.
	from, until time.Time
	offset      time.Duration
}

// clock compiles what Validate accepted.
func (c Clock) clock() (*clock, error) {
	if c.Zone == "" {
		return &clock{Clock: c}, nil
	}
	zone, err := time.LoadLocation(c.Zone)
	return &clock{Clock: c, zone: zone}, err
}

// The years between which a time may lie. Milliseconds that are declared to be
// seconds lie far outside.
const (
	minYear = 1970
	maxYear = 9999
)

// read returns the time in UTC. The error is ErrTime, ErrFold or ErrGap.
func (c *clock) read(text string) (time.Time, error) {
	t, err := c.parse(text)
	if err != nil {
		return time.Time{}, err
	}
	if year := t.Year(); year < minYear || year > maxYear {
		return time.Time{}, ErrTime
	}
	return t, nil
}

func (c *clock) parse(text string) (t time.Time, err error) {
	switch c.Layout {
	case layoutRFC3339:
		// Parse knows this layout by heart, but lets some other forms pass.
		return rfc3339(text)
	case layoutUnix, layoutUnixMS:
		return c.count(text)
	}
	if t, err = time.Parse(c.Layout, text); err != nil {
		return t, ErrTime
	}
	if c.zone == nil {
		return t.UTC(), nil
	}
	return c.resolve(t)
}

// rfc3339 is time.Parse, which knows this layout by heart, less what else it
// lets pass: an hour of one digit, a comma before the fraction.
func rfc3339(text string) (time.Time, error) {
	t, err := time.Parse(time.RFC3339, text)
	if err != nil || text[len("2006-01-02T15")] != ':' || strings.IndexByte(text, ',') >= 0 {
		return time.Time{}, ErrTime
	}
	return t.UTC(), nil
}

func (c *clock) count(text string) (time.Time, error) {
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || strings.HasPrefix(text, "+") {
		return time.Time{}, ErrTime
	}
	if c.Layout == layoutUnixMS {
		return time.UnixMilli(n).UTC(), nil
	}
	return time.Unix(n, 0).UTC(), nil
}

// resolve returns the instant of a local time, which is given as if it were
// UTC. Of the offsets that hold a day before and a day after, those count under
// which the zone shows this local time: none in a gap, two in a fold.
func (c *clock) resolve(local time.Time) (time.Time, error) {
	if local.After(c.from) && local.Before(c.until) {
		return local.Add(-c.offset), nil
	}
	early, earlyHolds := c.under(local, local.Add(-24*time.Hour))
	late, lateHolds := c.under(local, local.Add(24*time.Hour))
	switch {
	case !earlyHolds && !lateHolds:
		return time.Time{}, ErrGap
	case earlyHolds && lateHolds && !early.Equal(late):
		return c.folded(early, late)
	case earlyHolds && lateHolds:
		c.remember(local, early)
	case lateHolds:
		return late, nil
	}
	return early, nil
}

// under reads a local time with the offset that the zone has around another,
// and reports whether the zone shows it so.
func (c *clock) under(local, around time.Time) (time.Time, bool) {
	_, offset := around.In(c.zone).Zone()
	instant := local.Add(-time.Duration(offset) * time.Second)
	_, then := instant.In(c.zone).Zone()
	return instant, then == offset
}

// folded picks one of two equal local times. The offset before the clocks go
// back is the greater one, and so its instant is the first.
func (c *clock) folded(first, second time.Time) (time.Time, error) {
	switch c.Fold {
	case foldFirst:
		return first, nil
	case foldSecond:
		return second, nil
	}
	return time.Time{}, ErrFold
}

var endOfTime = time.Date(maxYear+1, 1, 1, 0, 0, 0, 0, time.UTC)

// remember notes the span around an instant in which the zone keeps its
// offset, less a day at either end, in which a neighbour could show the same
// local time.
func (c *clock) remember(local, instant time.Time) {
	const margin = 24 * time.Hour
	start, end := instant.In(c.zone).ZoneBounds()
	c.offset, c.from, c.until = local.Sub(instant), time.Time{}, endOfTime
	if !start.IsZero() {
		c.from = start.UTC().Add(c.offset + margin)
	}
	if !end.IsZero() {
		c.until = end.UTC().Add(c.offset - margin)
	}
}
