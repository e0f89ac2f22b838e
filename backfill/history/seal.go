package history

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/walletctl/walletctl/walletcore"
	"github.com/walletctl/walletctl/walletcore/record"
)

// insertParts writes the checkpoints.
const insertParts = `
insert into gaming.history_parts (wallet_id, first_seq, last_seq, import_id, external_id, rows, real, bonus, since, until, whole, head)
select p.wallet_id, p.first_seq, p.last_seq, $1, format('history:%s', -p.last_seq), p.last_seq - p.first_seq + 1,
  p.real * 0.00000001, p.bonus * 0.00000001, p.since, p.until, p.whole, p.head
from unnest($2::uuid[], $3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[], $7::timestamptz[], $8::timestamptz[],
  $9::boolean[], $10::bytea[]) p (wallet_id, first_seq, last_seq, real, bonus, since, until, whole, head)`

// insertSeals moves each wallet one entry further, which changes nothing but
// its place in the chain.
const insertSeals = `
with moved as (
  update gaming.wallets w
  set seq = s.seq, head = s.hash
  from unnest($1::uuid[], $2::bigint[], $3::bytea[]) s (wallet_id, seq, hash)
  where w.id = s.wallet_id and w.seq = s.seq - 1
  returning w.id, w.seq, w.real, w.bonus, w.head
)
insert into gaming.entries (wallet_id, seq, kind, external_id, real_before, real_after, bonus_before, bonus_after, actor, details,
  occurred_at, recorded_at, hash, key_id)
select m.id, m.seq, 'history_seal', s.external_id, m.real, m.real, m.bonus, m.bonus, $4, s.details::json, $5, $5, m.head, $6
from moved m
join unnest($1::uuid[], $7::text[], $8::text[]) s (wallet_id, external_id, details) on s.wallet_id = m.id`

// sealDetails is what a seal says of the history below it.
type sealDetails struct {
	Import   uuid.UUID        `json:"import"`
	FirstSeq int64            `json:"first_seq"`
	LastSeq  int64            `json:"last_seq"`
	Rows     int64            `json:"rows"`
	Real     walletcore.Money `json:"real"`
	Bonus    walletcore.Money `json:"bonus"`
	Whole    bool             `json:"whole"` // it begins with the wallet's first movement
	Head     string           `json:"head"`
	Source   record.Digest    `json:"source"`
}

// sealActor is who a seal is by.
const sealActor = "backfill"

// written is a group that was put on the stage.
type written struct {
	group *group
	part  part
}

// seals are the columns of parts and seals.
type seals struct {
	wallets            []uuid.UUID
	first, last        []int64
	real, bonus        []int64
	since, until       []time.Time
	whole              []bool
	heads              [][]byte
	seqs               []int64
	hashes             [][]byte
	externals, details []string
}

func (s *seals) add(w *written, at standing, j *judge, run *Import) error {
	p, g := &w.part, w.group
	details, err := json.Marshal(sealDetails{
		Import: run.ID, FirstSeq: p.first, LastSeq: p.last, Rows: g.rows, Real: g.real, Bonus: g.bonus, Whole: p.whole,
		Head: hex.EncodeToString(p.head[:]), Source: run.Digest,
	})
	if err != nil {
		return err
	}
	e := walletcore.Entry{
		WalletID: g.wallet, Seq: at.seq + 1, Kind: walletcore.KindHistorySeal, ExternalID: fmt.Sprintf("history:%d", -p.last),
		RealBefore: at.real, RealAfter: at.real, BonusBefore: at.bonus, BonusAfter: at.bonus, Actor: sealActor, Details: details,
		OccurredAt: j.recorded, RecordedAt: j.recorded, KeyID: j.keyID,
	}
	hash, err := j.hasher.Sum(at.head, &e)
	if err != nil {
		return err
	}
	s.wallets, s.first, s.last = append(s.wallets, g.wallet), append(s.first, p.first), append(s.last, p.last)
	s.real, s.bonus = append(s.real, g.real.Units()), append(s.bonus, g.bonus.Units())
	s.since, s.until, s.whole = append(s.since, g.first), append(s.until, g.last), append(s.whole, p.whole)
	s.heads, s.seqs, s.hashes = append(s.heads, p.head[:]), append(s.seqs, e.Seq), append(s.hashes, hash[:])
	s.externals, s.details = append(s.externals, e.ExternalID), append(s.details, string(details))
	return nil
}

// send writes the parts, then their seals.
func (s *seals) send(ctx context.Context, tx pgx.Tx, j *judge, run *Import) error {
	batch := &pgx.Batch{}
	batch.Queue(insertParts, run.ID, s.wallets, s.first, s.last, s.real, s.bonus, s.since, s.until, s.whole, s.heads)
	batch.Queue(insertSeals, s.wallets, s.seqs, s.hashes, sealActor, j.recorded, j.keyID, s.externals, s.details)
	batch.Queue(`delete from gaming.history_refusals where import_id = $1 and wallet_id = any($2)`, run.ID, s.wallets)
	return tx.SendBatch(ctx, batch).Close()
}
