package chaincheck

import (
	"encoding/hex"
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/google/uuid"
)

// COPY takes no parameters, so values are written into the text. They are ids,
// numbers and times of ours, but for the brand, which goes in as hex.

// headsQuery reads the next wallets of a range and their last entries.
func headsQuery(part idRange, brand string, limit int) string {
	return fmt.Sprintf(inKeyOrder+`copy (
select `+headColumns+`
from gaming.wallets w
`+lastEntry+`
where w.id >= '%s' and w.id <= '%s'%s
order by w.id
limit %d) to stdout (format binary)`, part.from, part.to, brandCondition(brand), limit)
}

func brandCondition(brand string) string {
	if brand == "" {
		return ""
	}
	return ` and w.brand_id = ` + textLiteral(brand)
}

// textLiteral writes a text so that nothing in it can end it.
func textLiteral(text string) string {
	return `convert_from(decode('` + hex.EncodeToString([]byte(text)) + `', 'hex'), 'UTF8')`
}

// entryKey is the place of an entry in the order of the primary key.
type entryKey struct {
	wallet uuid.UUID
	seq    int64
}

// runQuery reads the next entries behind a key, whatever wallets they belong
// to, up to a wallet.
func runQuery(behind entryKey, to entryKey, limit int) string {
	return fmt.Sprintf(inKeyOrder+`copy (
select `+entryColumns+`
from gaming.entries e
where (e.wallet_id, e.seq) > ('%s', %d) and (e.wallet_id, e.seq) <= ('%s', %d) and e.seq >= 0
order by e.wallet_id, e.seq
limit %d) to stdout (format binary)`, behind.wallet, behind.seq, to.wallet, to.seq, limit)
}

// span is a part of one wallet's chain, both ends included.
type span struct {
	wallet   uuid.UUID
	from, to int64
}

// spansQuery reads several short parts at once.
func spansQuery(spans []span) string {
	ids, from, to := arrays(spans)
	return fmt.Sprintf(inKeyOrder+`set local enable_sort = on; copy (
select `+entryColumns+`
from unnest('{%s}'::uuid[], '{%s}'::bigint[], '{%s}'::bigint[]) s (id, lo, hi)
join gaming.entries e on e.wallet_id = s.id and e.seq between s.lo and s.hi
order by e.wallet_id, e.seq) to stdout (format binary)`, ids, from, to)
}

// probeQuery tells for one entry of each wallet (s.lo) when it was recorded.
func probeQuery(spans []span) string {
	ids, at, _ := arrays(spans)
	return fmt.Sprintf(inKeyOrder+`copy (
select s.id, e.recorded_at
from unnest('{%s}'::uuid[], '{%s}'::bigint[]) s (id, seq)
join gaming.entries e on e.wallet_id = s.id and e.seq = s.seq) to stdout (format binary)`, ids, at)
}

func arrays(spans []span) (ids, from, to string) {
	var a, b, c strings.Builder
	for i, s := range spans {
		if i > 0 {
			a.WriteByte(',')
			b.WriteByte(',')
			c.WriteByte(',')
		}
		a.WriteString(s.wallet.String())
		fmt.Fprint(&b, s.from)
		fmt.Fprint(&c, s.to)
	}
	return a.String(), b.String(), c.String()
}

// wholeQuery reads one wallet, its last entry and its entries from a seq on in
// one statement.
func wholeQuery(wallet uuid.UUID, from int64) string {
	return fmt.Sprintf(inKeyOrder+`copy (
select `+headColumns+`, `+entryColumns+`
from gaming.wallets w
`+lastEntry+`
left join gaming.entries e on e.wallet_id = w.id and e.seq >= %d
where w.id = '%s'
order by e.wallet_id, e.seq) to stdout (format binary)`, from, wallet)
}

func timeLiteral(t time.Time) string {
	return t.UTC().Format("'2006-01-02 15:04:05.000000+00'")
}

// highest is the end of what a seq can be. What is below 0 is older history,
// which never changes the live chain.
const highest = math.MaxInt64
