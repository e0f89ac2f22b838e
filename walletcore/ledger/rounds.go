package ledger

import (
	"maps"
	"slices"

	"github.com/jackc/pgx/v5"

	"github.com/walletctl/walletctl/walletcore"
)

const (
	// The unrefunded bets that a win resolves: those of its round, or those that
	// it names.
	findBetsByRound = `
select w.place, b.external_id,
  ((b.real_before - b.real_after) * 100000000)::bigint, ((b.bonus_before - b.bonus_after) * 100000000)::bigint
from unnest($1::bigint[], $2::uuid[], $3::text[]) as w (place, wallet_id, round_id)
join gaming.entries b on b.wallet_id = w.wallet_id and b.round_id = w.round_id
where b.kind = 'bet' and b.mark is null and not exists (
  select
  from gaming.entries r
  where r.wallet_id = b.wallet_id and r.kind = 'refund' and r.external_id = b.external_id)`

	findBetsByID = `
select w.place, b.external_id,
  ((b.real_before - b.real_after) * 100000000)::bigint, ((b.bonus_before - b.bonus_after) * 100000000)::bigint
from unnest($1::bigint[], $2::uuid[], $3::text[]) as w (place, wallet_id, bet)
join gaming.entries b on b.wallet_id = w.wallet_id and b.kind = 'bet' and b.external_id = w.bet
where b.mark is null and not exists (
  select
  from gaming.entries r
  where r.wallet_id = b.wallet_id and r.kind = 'refund' and r.external_id = b.external_id)`

	// findSettled returns the bets whose round has a win that stands.
	findSettled = `
select distinct r.place
from unnest($1::uuid[], $2::text[]) with ordinality as r (wallet_id, bet, place)
join gaming.entries b on b.wallet_id = r.wallet_id and b.kind = 'bet' and b.external_id = r.bet
join gaming.entries w on w.wallet_id = b.wallet_id and w.round_id = b.round_id
where w.kind = 'win' and w.mark is null and not exists (
  select
  from gaming.entries v
  where v.wallet_id = w.wallet_id and v.kind = 'win_reversal' and v.external_id = w.external_id)`
)

// round names a round of a wallet.
type round struct {
	wallet [16]byte
	id     string
}

// rounds is what wins and refunds need to know of other movements.
type rounds struct {
	resolved map[*Movement]map[string]walletcore.Parts // bets by id, for each win
	settled  map[key]bool                              // refunds of bets that have their win
	bets     []roundBet                                // decided in this batch
	wins     map[round]bool                            // decided in this batch
}

type roundBet struct {
	round round
	id    string
	parts walletcore.Parts
}

func newRounds() *rounds {
	return &rounds{
		resolved: map[*Movement]map[string]walletcore.Parts{}, settled: map[key]bool{}, wins: map[round]bool{},
	}
}

// queue adds the look-ups that the batch needs, and none where it does not.
func (r *rounds) queue(pipeline *pgx.Batch, b *batch) {
	var byRound, byID arguments
	for place, win := range b.wins {
		r.resolved[win] = map[string]walletcore.Parts{}
		wallet := [16]byte(win.Wallet.ID())
		for _, bet := range win.Bets {
			byID.add(place, wallet, bet)
		}
		if len(win.Bets) == 0 && win.RoundID != "" {
			byRound.add(place, wallet, win.RoundID)
		}
	}
	read := func(rows pgx.Rows) error { return r.readBets(rows, b) }
	if len(byRound.places) > 0 {
		pipeline.Queue(findBetsByRound, byRound.places, byRound.wallets, byRound.texts).Query(read)
	}
	if len(byID.places) > 0 {
		pipeline.Queue(findBetsByID, byID.places, byID.wallets, byID.texts).Query(read)
	}
	if len(b.refunds) > 0 {
		ids, _, bets := lookupArguments(b.refunds)
		pipeline.Queue(findSettled, ids, bets).Query(func(rows pgx.Rows) error { return r.readSettled(rows, b) })
	}
}

// arguments are the arrays of a look-up.
type arguments struct {
	places  []int64
	wallets [][16]byte
	texts   []string
}

func (a *arguments) add(place int, wallet [16]byte, text string) {
	a.places = append(a.places, int64(place))
	a.wallets = append(a.wallets, wallet)
	a.texts = append(a.texts, text)
}

func (r *rounds) readBets(rows pgx.Rows, b *batch) error {
	for rows.Next() {
		var place, real, bonus int64
		var id string
		if err := rows.Scan(&place, &id, &real, &bonus); err != nil {
			return err
		}
		r.resolved[b.wins[place]][id] = parts(real, bonus)
	}
	return rows.Err()
}

func (r *rounds) readSettled(rows pgx.Rows, b *batch) error {
	for rows.Next() {
		var place int64
		if err := rows.Scan(&place); err != nil {
			return err
		}
		r.settled[b.refunds[place-1]] = true
	}
	return rows.Err()
}

// betsOf sums the unrefunded bets that a win resolves, those of the same batch
// included.
func (r *rounds) betsOf(win *Movement, wallet [16]byte, entries map[key]*known) walletcore.Parts {
	bets := maps.Clone(r.resolved[win])
	for _, bet := range r.bets {
		if bet.round.wallet == wallet && resolves(win, bet) {
			bets[bet.id] = bet.parts
		}
	}
	var sum walletcore.Parts
	for id, bet := range bets {
		if entries[key{wallet, walletcore.KindRefund, id}] == nil {
			sum.Real, sum.Bonus = sum.Real.Add(bet.Real), sum.Bonus.Add(bet.Bonus)
		}
	}
	return sum
}

func resolves(win *Movement, bet roundBet) bool {
	if len(win.Bets) > 0 {
		return slices.Contains(win.Bets, bet.id)
	}
	return win.RoundID != "" && win.RoundID == bet.round.id
}

// isSettled reports whether the bet that a refund would give back has its win.
func (r *rounds) isSettled(refund key, bet *known) bool {
	return r.settled[refund] || (bet.roundID != "" && r.wins[round{refund.wallet, bet.roundID}])
}

// record remembers a decided bet or win, and returns what forgets it.
func (r *rounds) record(m *Movement, entry *walletcore.Entry) (forget func()) {
	at := round{entry.WalletID, m.RoundID}
	switch {
	case entry.Mark != "":
	case m.Kind == walletcore.KindBet:
		r.bets = append(r.bets, roundBet{at, m.ExternalID, negative(entry.Moved())})
		return func() { r.bets = r.bets[:len(r.bets)-1] }
	case m.Kind == walletcore.KindWin && !r.wins[at]:
		r.wins[at] = true
		return func() { delete(r.wins, at) }
	}
	return func() {}
}
