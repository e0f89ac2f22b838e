package chaincheck

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"fmt"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/walletctl/walletctl/walletcore"
)

// pastPart is what a run wrote of one wallet.
type pastPart struct {
	first, last int64
	real, bonus walletcore.Money
	whole       bool
	head        []byte
	seal        *string // the details of its seal; nil where there is none
}

const selectParts = `
select h.wallet_id, h.first_seq, h.last_seq, h.real, h.bonus, h.whole, h.head, (
  select s.details::text
  from gaming.entries s
  where s.wallet_id = h.wallet_id and s.kind = 'history_seal' and s.external_id = h.external_id)
from gaming.history_parts h
where h.wallet_id = any($1)
order by h.wallet_id, h.first_seq`

func (f *pastWalk) readParts(ctx context.Context, db Querier, heads []head) error {
	f.parts = make(map[uuid.UUID][]pastPart, len(heads))
	rows, err := db.Query(ctx, selectParts, ids(heads))
	if err != nil {
		return err
	}
	var id uuid.UUID
	var p pastPart
	_, err = pgx.ForEachRow(rows, []any{&id, &p.first, &p.last, &p.real, &p.bonus, &p.whole, &p.head, &p.seal}, func() error {
		f.parts[id] = append(f.parts[id], p)
		p.head, p.seal = nil, nil
		f.past.Parts++
		return nil
	})
	return err
}

// checkSeal compares the part's end with what the live chain vouches for.
func (f *pastWalk) checkSeal(part *pastPart) {
	v, e := f.verifier, &f.entry
	head := hex.EncodeToString(e.Hash[:])
	if hex.EncodeToString(part.head) != head {
		v.add(KindHistory, e.Seq, hex.EncodeToString(part.head), head, "the part ends with another hash")
	}
	if part.seal == nil {
		v.add(KindHistory, e.Seq, "a seal on the live chain", "none", place(e))
		return
	}
	var sealed struct {
		FirstSeq int64 `json:"first_seq"`
		LastSeq  int64
		Head     string
	}
	if err := json.Unmarshal([]byte(*part.seal), &sealed); err != nil {
		v.add(KindHistory, e.Seq, "a seal that says what it seals", err.Error(), place(e))
		return
	}
	if sealed.Head != head || sealed.FirstSeq != part.first {
		v.add(KindHistory, e.Seq, fmt.Sprintf("from seq %d, hash %s", sealed.FirstSeq, sealed.Head),
			fmt.Sprintf("from seq %d, hash %s", part.first, head), "the seal on the live chain tells of another history")
	}
}

const selectLoneSeals = `
select s.wallet_id, s.seq, s.external_id
from gaming.entries s
where s.wallet_id = any($1) and s.kind = 'history_seal'
  and not exists (select from gaming.history_parts h where h.wallet_id = s.wallet_id and h.external_id = s.external_id)`

// readLoneSeals finds seals of a history that is gone.
func (f *pastWalk) readLoneSeals(ctx context.Context, db Querier, heads []head) error {
	places := make(map[uuid.UUID]*head, len(heads))
	for i := range heads {
		places[heads[i].id] = &heads[i]
	}
	rows, err := db.Query(ctx, selectLoneSeals, ids(heads))
	if err != nil {
		return err
	}
	var id uuid.UUID
	var seq int64
	var external string
	_, err = pgx.ForEachRow(rows, []any{&id, &seq, &external}, func() error {
		f.verifier.turnTo(places[id])
		f.verifier.add(KindHistory, seq, "the history that was sealed", "none", external)
		f.finish()
		return nil
	})
	return err
}
