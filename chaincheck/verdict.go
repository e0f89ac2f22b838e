package chaincheck

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
)

func (r *run) warn(code WarningCode, text string) {
	r.report.Warnings = append(r.report.Warnings, Warning{Code: code, Text: text})
}

func (r *run) note(text string) { r.report.Notes = append(r.report.Notes, text) }

// finish fills in what was counted and gives the verdict.
func (r *run) finish(err error) {
	r.warnHashes()
	r.count()
	report := &r.report
	report.FinishedAt = r.now()
	if report.WindowEnd.IsZero() {
		report.WindowEnd = report.StartedAt
	}
	took := report.FinishedAt.Sub(report.StartedAt)
	report.DurationMillis = took.Milliseconds()
	if took > 0 {
		report.RowsPerSecond = report.EntriesChecked * int64(time.Second) / int64(took)
	}
	if err != nil {
		report.Error = err.Error()
	}
	report.Status = r.verdict(err)
}

func (r *run) verdict(err error) Status {
	unknown := err != nil || r.report.UnreadCount > 0
	for _, w := range r.report.Warnings {
		unknown = unknown || w.Code.unknown()
	}
	switch {
	case r.report.FindingsCount > 0:
		return StatusBroken
	case unknown:
		return StatusUnknown
	case len(r.report.Warnings) > 0:
		return StatusWarning
	}
	return StatusClosed
}

// unknown reports whether a warning means that nothing can be said.
func (c WarningCode) unknown() bool {
	return c == WarnDisconnected || c == WarnCheckpoint || c == WarnBehind
}

func (r *run) warnHashes() {
	t := r.tally
	if r.deps.Keys == nil && t.now.WalletsChecked > 0 {
		r.warn(WarnHashes, "hashes were not verified: there is no key file. Try: set LEDGER_KEYS_FILE")
	}
	if len(t.keys) > 0 {
		ids := slices.Sorted(maps.Keys(t.keys))
		r.report.KeysUnknown = ids
		r.warn(WarnKey, fmt.Sprintf("%d hashes were not verified: the key file lacks the keys %s",
			t.unverified, strings.Trim(fmt.Sprint(ids), "[]")))
	}
	if len(t.kinds) > 0 {
		r.warn(WarnKind, fmt.Sprintf("entries of kinds that this program does not know: %s. Try: a newer version",
			strings.Trim(fmt.Sprint(slices.Sorted(maps.Keys(t.kinds))), "[]")))
	}
}

func (r *run) count() {
	t, report := r.tally, &r.report
	report.WalletsChecked, report.EntriesChecked = t.now.WalletsChecked, t.now.EntriesChecked
	report.HashesVerified, report.HashesUnverified = t.verified, t.unverified
	if r.reader != nil {
		report.Retries = r.reader.retries.Load()
	}
	report.Unread, report.UnreadCount = append([]UnreadRange{}, t.unread...), t.unreadCount
	report.FindingsByKind = t.byKind
	for _, n := range t.byKind {
		report.FindingsCount += n
	}
	report.Findings = append([]Finding{}, t.findings...)
	slices.SortStableFunc(report.Findings, func(a, b Finding) int {
		return cmp.Or(compareIDs(a.WalletID, b.WalletID), cmp.Compare(a.Seq, b.Seq))
	})
	report.FindingsOmitted, report.WalletsBroken = t.omitted, t.broken
	report.MoneyInDoubt = map[string]string{}
	for currency, amount := range t.doubt {
		report.MoneyInDoubt[currency] = amount.String()
	}
}
