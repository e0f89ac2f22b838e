package record_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/walletctl/walletctl/walletcore/record"
)

// timed is a mapping whose time is written so.
func timed(t testing.TB, clock string) record.Mapping {
	t.Helper()
	return small(t, "fields: {user: user, currency: currency, real: amount, time: id}", "time: "+clock)
}

// timeOf reads one time, as RFC 3339 or as a fault.
func timeOf(t testing.TB, m record.Mapping, text string) string {
	t.Helper()
	o := readText(t, m, smallHeader+"ann,EUR,1,\""+text+"\"\n")
	require.Empty(t, o.end)
	if len(o.faults) > 0 {
		return o.faults[0]
	}
	require.Equal(t, time.UTC, o.records[0].Time.Location())
	return o.records[0].Time.Format(time.RFC3339Nano)
}

func TestTime_IsReadByItsDeclaredLayout(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ clock, text, want string }{
		{"{layout: rfc3339}", "2025-06-01T12:00:00.5+02:00", "2025-06-01T10:00:00.5Z"},
		{"{layout: rfc3339}", "2025-06-01 12:00:00Z", " is not a time of the declared layout"},
		{"{layout: rfc3339}", "2025-06-01T1:00:00Z", " is not a time of the declared layout"},
		{"{layout: rfc3339}", "2025-06-01T12:00:00,5Z", " is not a time of the declared layout"},
		{"{layout: rfc3339}", "1969-12-31T23:59:59Z", " is not a time of the declared layout"},
		{"{layout: unix}", "1748772000", "2025-06-01T10:00:00Z"},
		{"{layout: unix}", "1748772000000", " is not a time of the declared layout"},
		{"{layout: unix}", "1748772000.5", " is not a time of the declared layout"},
		{"{layout: unix}", "+1748772000", " is not a time of the declared layout"},
		{"{layout: unix_ms}", "1748772000123", "2025-06-01T10:00:00.123Z"},
		{`{layout: "2006-01-02 15:04:05 -0700"}`, "2025-06-01 12:00:00 +0200", "2025-06-01T10:00:00Z"},
		{`{layout: "02.01.2006 15:04", zone: Europe/Berlin}`, "01.06.2025 12:00", "2025-06-01T10:00:00Z"},
		{`{layout: "02.01.2006 15:04", zone: Europe/Berlin}`, "06/01/2025 12:00", " is not a time of the declared layout"},
		{`{layout: "02.01.2006 15:04", zone: Europe/Berlin}`, "31.04.2025 12:00", " is not a time of the declared layout"},
		{`{layout: "2006-01-02", zone: UTC}`, "2025-06-01", "2025-06-01T00:00:00Z"},
	} {
		if c.want[0] == ' ' {
			c.want = `moves:2:4: time "` + c.text + `"` + c.want
		}
		require.Equal(t, c.want, timeOf(t, timed(t, c.clock), c.text))
	}
}

func TestTime_InAFoldOrGapIsNeverGuessed(t *testing.T) {
	t.Parallel()
	const berlin = `layout: "2006-01-02 15:04", zone: Europe/Berlin`
	plain := timed(t, "{"+berlin+"}")
	first, second := timed(t, "{"+berlin+", fold: first}"), timed(t, "{"+berlin+", fold: second}")
	for text, want := range map[string][3]string{
		"2025-10-26 01:59": {"2025-10-25T23:59:00Z", "2025-10-25T23:59:00Z", "2025-10-25T23:59:00Z"},
		"2025-10-26 02:00": {"fold", "2025-10-26T00:00:00Z", "2025-10-26T01:00:00Z"},
		"2025-10-26 02:30": {"fold", "2025-10-26T00:30:00Z", "2025-10-26T01:30:00Z"},
		"2025-10-26 03:00": {"2025-10-26T02:00:00Z", "2025-10-26T02:00:00Z", "2025-10-26T02:00:00Z"},
		"2025-03-30 01:59": {"2025-03-30T00:59:00Z", "2025-03-30T00:59:00Z", "2025-03-30T00:59:00Z"},
		"2025-03-30 02:00": {"gap", "gap", "gap"},
		"2025-03-30 02:30": {"gap", "gap", "gap"},
		"2025-03-30 03:00": {"2025-03-30T01:00:00Z", "2025-03-30T01:00:00Z", "2025-03-30T01:00:00Z"},
	} {
		for i, m := range []record.Mapping{plain, first, second} {
			switch want[i] {
			case "fold":
				want[i] = `moves:2:4: time "` + text + `" happens twice, as the clocks go back: declare which with fold`
			case "gap":
				want[i] = `moves:2:4: time "` + text + `" never happens, as the clocks go forward over it`
			}
			require.Equal(t, want[i], timeOf(t, m, text))
		}
	}
	// A zone that left out a whole day.
	apia := timed(t, `{layout: "2006-01-02 15:04", zone: Pacific/Apia}`)
	require.Equal(t, `moves:2:4: time "2011-12-30 12:00" never happens, as the clocks go forward over it`, timeOf(t, apia, "2011-12-30 12:00"))
	require.Equal(t, "2011-12-30T09:00:00Z", timeOf(t, apia, "2011-12-29 23:00"))
}

func TestTime_OfTheRowBeforeChangesNothing(t *testing.T) {
	t.Parallel()
	m := timed(t, `{layout: "2006-01-02 15:04", zone: Europe/Berlin}`)
	for _, times := range [][2]string{
		{"2025-10-25 12:00", "2025-10-26 02:30"},
		{"2025-10-26 12:00", "2025-10-26 02:30"},
		{"2025-03-29 12:00", "2025-03-30 02:30"},
		{"2025-03-30 12:00", "2025-03-30 02:30"},
		{"2025-07-01 12:00", "2025-10-26 02:30"},
		{"2025-07-01 12:00", "2025-03-30 02:30"},
	} {
		o := readText(t, m, smallHeader+"ann,EUR,1,"+times[0]+"\nann,EUR,1,"+times[1]+"\n")
		require.Len(t, o.records, 1)
		require.Len(t, o.faults, 1)
		require.Contains(t, o.faults[0], "moves:3:4: time")
	}
}

// What a zone shows of an instant is read back as this instant, or as one of
// two, whatever was read before it.
func TestTime_ReadsBackWhatAZoneShows(t *testing.T) {
	t.Parallel()
	const layout = "2006-01-02 15:04:05"
	zones := []string{"Europe/Berlin", "America/Sao_Paulo", "Australia/Lord_Howe", "Africa/Casablanca", "Asia/Tokyo", "UTC"}
	rapid.Check(t, func(r *rapid.T) {
		name := rapid.SampledFrom(zones).Draw(r, "zone")
		zone, err := time.LoadLocation(name)
		require.NoError(r, err)
		text, instants := smallHeader, rapid.SliceOfN(rapid.Int64Range(1e9, 2e9), 1, 20).Draw(r, "instants")
		near := rapid.Bool().Draw(r, "near a change")
		for i, s := range instants {
			if near {
				_, end := time.Unix(s, 0).In(zone).ZoneBounds()
				if !end.IsZero() {
					instants[i] = end.Unix() + s%10_000 - 5000
				}
			}
			text += "ann,EUR,1," + time.Unix(instants[i], 0).In(zone).Format(layout) + "\n"
		}
		o := readText(t, timed(t, `{layout: "`+layout+`", zone: `+name+`}`), text)
		read := map[int64]int64{}
		for _, rec := range o.records {
			read[rec.Position.Line] = rec.Time.Unix()
		}
		for i, s := range instants {
			got, ok := read[int64(i+2)]
			require.Equal(r, !twice(zone, s), ok, "only a fold is refused")
			if ok {
				require.Equal(r, s, got)
			}
		}
	})
}

// twice reports whether another instant shows the same local time.
func twice(zone *time.Location, s int64) bool {
	at := time.Unix(s, 0).In(zone)
	for _, minutes := range []int{-60, -30, 30, 60, 120, -120} {
		other := at.Add(time.Duration(minutes) * time.Minute)
		if other.Format(time.DateTime) == at.Format(time.DateTime) {
			return true
		}
	}
	return false
}
