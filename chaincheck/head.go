package chaincheck

import (
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"

	"github.com/walletctl/walletctl/walletcore"
)

// headColumns are the columns that decodeHead reads, in its order.
const (
	headColumns = `w.id, w.brand_id, w.user_id, w.currency, w.real, w.bonus, w.debt_limit, w.seq, w.head, ` +
		`l.seq, l.real_after, l.bonus_after, l.hash, l.recorded_at`
	headWidth = 14

	// lastEntry is read in the same statement as its wallet, hence in the same
	// snapshot. The subquery is correlated so that it is one index descent.
	lastEntry = `left join lateral (
  select e.seq, e.real_after, e.bonus_after, e.hash, e.recorded_at
  from gaming.entries e
  where e.wallet_id = w.id
  order by e.seq desc
  limit 1) l on true`
)

// standing is where a chain stands after one of its entries.
type standing struct {
	seq   int64
	hash  [walletcore.HashSize]byte
	real  walletcore.Money
	bonus walletcore.Money
}

func (s *standing) total() walletcore.Money { return s.real.Add(s.bonus) }

// link is the end of a chain that is being followed.
type link struct {
	prev   standing
	read   bool // an entry was read, so prev is one
	linked bool // prev can be trusted as the predecessor of what follows
}

// head is a wallet and its last entry in one snapshot, and what the run knows
// of it beside.
type head struct {
	id    uuid.UUID
	key   walletcore.WalletKey
	at    standing // the wallet's own row
	debt  walletcore.Money
	bad   error // an *amountError of the wallet or of the last entry
	empty bool  // it has no entry

	last         standing
	lastRecorded time.Time

	from int64     // the first seq to read; above last.seq where nothing is
	seen *standing // where the checkpoint has it; nil where it has not
	link           // how far its chain was followed
	done bool      // read to its end
	old  bool      // its place in the checkpoint stays as it is

	suspect bool // it looks broken and is to be read again
}

// decodeHead overwrites h. The only error is errCopyFormat.
func decodeHead(fields [][]byte, h *head) error {
	if len(fields) < headWidth || len(fields[0]) != 16 || len(fields[8]) != walletcore.HashSize {
		return errCopyFormat
	}
	*h = head{
		id:  decodeID(fields[0]),
		key: walletcore.WalletKey{Brand: string(fields[1]), User: string(fields[2]), Currency: string(fields[3])},
		at:  standing{seq: decodeInt64(fields[7]), hash: decodeHash(fields[8])},
	}
	h.readMoney("real", fields[4], &h.at.real)
	h.readMoney("bonus", fields[5], &h.at.bonus)
	h.readMoney("debt_limit", fields[6], &h.debt)
	if fields[9] == nil {
		h.empty = true
		return nil
	}
	h.last = standing{seq: decodeInt64(fields[9]), hash: decodeHash(fields[12])}
	h.readMoney("real_after of the last entry", fields[10], &h.last.real)
	h.readMoney("bonus_after of the last entry", fields[11], &h.last.bonus)
	h.lastRecorded = decodeTime(fields[13])
	return nil
}

func (h *head) readMoney(column string, field []byte, target *walletcore.Money) {
	var err error
	if *target, err = decodeMoney(field); err != nil {
		h.bad = errors.Join(h.bad, &amountError{column, err})
	}
}

// left returns how many entries there are to read by the look of their seqs.
func (h *head) left() int64 {
	if h.empty {
		return 0
	}
	return h.last.seq - h.from + 1
}

func (s *standing) String() string {
	return fmt.Sprintf("seq %d, real %s, bonus %s, hash %x", s.seq, s.real, s.bonus, s.hash[:8])
}
