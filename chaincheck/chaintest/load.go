package chaintest

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/walletcore"
)

// Load writes the ledger that spec describes into the database at ownerURL,
// with the triggers off meanwhile. Entries come in the order of time, one of
// each wallet in turn, so that a wallet's entries lie scattered over the table,
// as they do in production.
func Load(t testing.TB, ownerURL string, keys *walletcore.Keyring, spec Spec) {
	t.Helper()
	spec.setDefaults()
	ctx := context.Background()
	conn, err := pgx.Connect(ctx, ownerURL)
	require.NoError(t, err)
	defer conn.Close(ctx)

	l := &ledger{spec: spec, hasher: keys.Hasher(), keyID: keys.Active(), random: rand.New(rand.NewPCG(1, 2))}
	WithoutTriggers(t, ownerURL, func(tx pgx.Tx) {
		copyIn(t, tx.Conn(), `gaming.entries (`+entryColumns+`)`, l.writeEntries)
		copyIn(t, tx.Conn(), `gaming.wallets (id, brand_id, user_id, currency, real, bonus, seq, head)`, l.writeWallets)
		if spec.Receipts {
			copyIn(t, tx.Conn(), `gaming.receipts (kind, external_id, wallet_id, seq)`, l.writeReceipts)
		}
	})
	_, err = conn.Exec(ctx, `vacuum (analyze) gaming.wallets, gaming.entries, gaming.receipts`)
	require.NoError(t, err)
}

const entryColumns = `wallet_id, seq, kind, external_id, real_before, real_after, bonus_before, bonus_after, ` +
	`actor, occurred_at, recorded_at, key_id, hash`

func copyIn(t testing.TB, conn *pgx.Conn, target string, write func(io.Writer) error) {
	t.Helper()
	reader, writer := io.Pipe()
	go func() { writer.CloseWithError(write(writer)) }()
	_, err := conn.PgConn().CopyFrom(context.Background(), reader, `copy `+target+` from stdin (format binary)`)
	require.NoError(t, err)
}

// ledger is a set of chains as they grow.
type ledger struct {
	spec   Spec
	hasher *walletcore.Hasher
	keyID  int16
	random *rand.Rand
	tails  []walletcore.Entry
}

func (l *ledger) writeEntries(out io.Writer) error {
	l.tails = make([]walletcore.Entry, l.spec.Wallets)
	rows := &rowWriter{buf: append([]byte(nil), copyHeader...)}
	for seq := range l.spec.Deposits + 1 {
		for i := range l.tails {
			if err := l.grow(i, int64(seq)); err != nil {
				return err
			}
			writeEntry(rows, &l.tails[i])
			if err := rows.flush(out, 64<<10); err != nil {
				return err
			}
		}
	}
	rows.end()
	return rows.flush(out, 0)
}

// grow replaces the wallet's last entry by the one that follows it.
func (l *ledger) grow(i int, seq int64) error {
	e := &l.tails[i]
	prev := e.Hash
	if seq == 0 {
		*e = walletcore.Entry{WalletID: l.spec.Wallet(i).ID(), Kind: walletcore.KindOpening, ExternalID: "opening"}
	} else {
		e.Kind, e.ExternalID = walletcore.KindDeposit, l.depositID(i, seq)
		e.RealBefore = e.RealAfter
		e.RealAfter = e.RealBefore.Add(walletcore.MoneyFromUnits(1_000_000 * (1 + l.random.Int64N(10_000))))
	}
	e.Seq, e.Actor, e.KeyID = seq, "gaming", l.keyID
	at := l.spec.Start.Add(l.spec.Step * time.Duration(seq*int64(l.spec.Wallets)+int64(i)))
	e.OccurredAt, e.RecordedAt = at, at
	var err error
	e.Hash, err = l.hasher.Sum(prev, e)
	return err
}

func (l *ledger) depositID(i int, seq int64) string {
	return fmt.Sprintf("%s-%d-%d", l.spec.Prefix, i, seq)
}

func writeEntry(rows *rowWriter, e *walletcore.Entry) {
	rows.begin(13)
	rows.bytes(e.WalletID[:])
	rows.int64(e.Seq)
	rows.text(string(e.Kind))
	rows.text(e.ExternalID)
	for _, m := range []walletcore.Money{e.RealBefore, e.RealAfter, e.BonusBefore, e.BonusAfter} {
		rows.money(m)
	}
	rows.text(e.Actor)
	rows.time(e.OccurredAt)
	rows.time(e.RecordedAt)
	rows.int16(e.KeyID)
	rows.bytes(e.Hash[:])
}

func (l *ledger) writeWallets(out io.Writer) error {
	rows := &rowWriter{buf: append([]byte(nil), copyHeader...)}
	for i := range l.tails {
		key, e := l.spec.Wallet(i), &l.tails[i]
		rows.begin(8)
		rows.bytes(e.WalletID[:])
		rows.text(key.Brand)
		rows.text(key.User)
		rows.text(key.Currency)
		rows.money(e.RealAfter)
		rows.money(e.BonusAfter)
		rows.int64(e.Seq)
		rows.bytes(e.Hash[:])
		if err := rows.flush(out, 64<<10); err != nil {
			return err
		}
	}
	rows.end()
	return rows.flush(out, 0)
}

func (l *ledger) writeReceipts(out io.Writer) error {
	rows := &rowWriter{buf: append([]byte(nil), copyHeader...)}
	for seq := int64(1); seq <= int64(l.spec.Deposits); seq++ {
		for i := range l.tails {
			rows.begin(4)
			rows.text(string(walletcore.KindDeposit))
			rows.text(l.depositID(i, seq))
			rows.bytes(l.tails[i].WalletID[:])
			rows.int64(seq)
			if err := rows.flush(out, 64<<10); err != nil {
				return err
			}
		}
	}
	rows.end()
	return rows.flush(out, 0)
}
