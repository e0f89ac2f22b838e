package replay

import (
	"context"
	"errors"
	"strconv"

	"github.com/google/uuid"

	"github.com/walletctl/walletctl/walletcore"
	"github.com/walletctl/walletctl/walletcore/ledger"
)

// DefaultEntries is how many of a wallet's last entries its story has.
const DefaultEntries = 20

const selectWalletEntries = `
select e.recorded_at, 'gaming', 'entry: ' || e.kind::text || coalesce(' (' || e.mark::text || ')', ''),
  format('seq %s, %s, real %s -> %s, bonus %s -> %s', e.seq, e.external_id, e.real_before, e.real_after, e.bonus_before,
    e.bonus_after), e.actor, coalesce(e.reference, '')
from gaming.entries e
where e.wallet_id = $1
order by e.seq desc
limit $2`

const selectWalletFreezes = `
select at, 'oncall', case when wallet_id is null then 'brand ' else 'wallet ' end
  || case when frozen then 'frozen' else 'unfrozen' end, reason, actor, ''
from gaming.freezes
where wallet_id = $1 or (wallet_id is null and brand_id = (select brand_id from gaming.wallets where id = $1))`

const selectLedgerCases = `
select e.at, 'oncall', 'case gaming-' || c.id || ' (' || c.kind || ') ' || e.kind::text, coalesce(e.note, ''), e.actor, ''
from gaming.cases c
join gaming.case_events e on e.case_id = c.id
where c.subject_id = $1 and c.subject_type = $2`

// ExplainWallet tells what is known about a wallet: how it stands, its freezes
// and cases, and so many of its last entries, DefaultEntries by default.
// ErrNotFound where nothing was ever posted to it.
func (d *Desk) ExplainWallet(ctx context.Context, id uuid.UUID, last int) (Story, error) {
	pool, err := d.of("gaming")
	if err != nil {
		return Story{}, err
	}
	switch {
	case last == 0:
		last = DefaultEntries
	case last < 0 || last > ledger.MaxPage:
		return Story{}, &walletcore.FieldError{Field: "entries", Reason: "must be between 1 and " + strconv.Itoa(ledger.MaxPage)}
	}
	t := newTeller(d, Subject{Type: Wallet, ID: id.String()})
	t.know("facts", func() ([]Fact, error) {
		w, err := ledger.NewReader(pool).Wallet(ctx, id)
		if errors.Is(err, ledger.ErrNoWallet) {
			err = ErrNotFound
		}
		return walletFacts(&w), err
	})
	t.tell(ctx, part{name: "entries", schema: "gaming", query: selectWalletEntries}, id, last)
	t.tell(ctx, part{name: "freezes", schema: "gaming", query: selectWalletFreezes}, id)
	t.tell(ctx, part{name: "cases", schema: "gaming", query: selectLedgerCases}, id.String(), Wallet)
	return t.end()
}

func walletFacts(w *ledger.Wallet) []Fact {
	debt := ""
	if w.DebtLimit != (walletcore.Money{}) {
		debt = w.DebtLimit.String()
	}
	return stated([]Fact{
		{"wallet", w.ID.String()},
		{"brand", w.Key.Brand},
		{"user", w.Key.User},
		{"currency", w.Key.Currency},
		{"real", w.Real.String()},
		{"bonus", w.Bonus.String()},
		{"debt limit", debt},
		{"frozen", strconv.FormatBool(w.Frozen)},
		{"last seq", strconv.FormatInt(w.Seq, 10)},
	})
}
