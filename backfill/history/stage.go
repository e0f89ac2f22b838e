package history

import (
	"context"
	"encoding/hex"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/walletctl/walletctl/walletcore"
)

// createStage makes the table that entries are copied to, once a connection.
const createStage = `
create temp table if not exists history_stage (
  wallet_id uuid, seq bigint, kind text, external_id text, real_before numeric, real_after numeric,
  bonus_before numeric, bonus_after numeric, reference text, round_id text, actor text,
  occurred_at timestamptz, recorded_at timestamptz, hash bytea, key_id smallint, mark text
) on commit delete rows`

const copyStage = `copy history_stage from stdin`

// insertStage writes the entries, and the receipts of those whose ids are unique
// over all wallets, in the same statement.
const insertStage = `
with written as (
  insert into gaming.entries (
    wallet_id, seq, kind, external_id, real_before, real_after, bonus_before, bonus_after,
    reference, round_id, actor, occurred_at, recorded_at, hash, key_id, mark)
  select wallet_id, seq, kind::gaming.movement_kind, external_id, real_before, real_after, bonus_before, bonus_after,
    reference, round_id, actor, occurred_at, recorded_at, hash, key_id, mark::gaming.entry_mark
  from history_stage
)
insert into gaming.receipts (wallet_id, seq, kind, external_id)
select wallet_id, seq, kind::gaming.movement_kind, external_id
from history_stage
where kind in ('deposit', 'withdrawal', 'withdrawal_reversal')
order by kind, external_id`

// stage holds the lines of a batch for COPY.
type stage struct {
	spool spool
	line  []byte
	rows  int64
}

// put adds an entry.
func (s *stage) put(e *walletcore.Entry) error {
	b := append(s.line[:0], e.WalletID.String()...)
	b = append(b, '\t')
	b = strconv.AppendInt(b, e.Seq, 10)
	b = appendText(b, string(e.Kind))
	b = appendText(b, e.ExternalID)
	for _, m := range [...]walletcore.Money{e.RealBefore, e.RealAfter, e.BonusBefore, e.BonusAfter} {
		b = append(append(b, '\t'), m.String()...)
	}
	b = appendText(b, e.Reference)
	b = appendText(b, e.RoundID)
	b = appendText(b, e.Actor)
	b = appendTime(b, e.OccurredAt)
	b = appendTime(b, e.RecordedAt)
	b = append(b, "\t\\\\x"...)
	b = hex.AppendEncode(b, e.Hash[:])
	b = append(b, '\t')
	b = strconv.AppendInt(b, int64(e.KeyID), 10)
	b = append(appendText(b, string(e.Mark)), '\n')
	s.line = b
	s.rows++
	_, err := s.spool.Write(b)
	return err
}

var copyEscapes = strings.NewReplacer(`\`, `\\`, "\t", `\t`, "\n", `\n`, "\r", `\r`)

// appendText writes a text behind a tab; an empty one is null.
func appendText(b []byte, text string) []byte {
	b = append(b, '\t')
	switch {
	case text == "":
		return append(b, `\N`...)
	case strings.ContainsAny(text, "\\\t\n\r"):
		return append(b, copyEscapes.Replace(text)...)
	}
	return append(b, text...)
}

func appendTime(b []byte, t time.Time) []byte {
	return t.UTC().AppendFormat(append(b, '\t'), "2006-01-02 15:04:05.999999Z07:00")
}

func (s *stage) reset() {
	s.spool.reset()
	s.rows = 0
}

// send copies the lines to the server and writes them.
func (s *stage) send(ctx context.Context, tx pgx.Tx) error {
	if _, err := tx.Conn().PgConn().CopyFrom(ctx, s.spool.reader(), copyStage); err != nil {
		return err
	}
	_, err := tx.Exec(ctx, insertStage)
	return err
}
