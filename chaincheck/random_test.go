package chaincheck_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"github.com/walletctl/walletctl/chaincheck"
	"github.com/walletctl/walletctl/chaincheck/chaintest"
)

// corruptions are single changes of one row, each of which must be found. $1 is
// a wallet, $2 a seq.
var corruptions = []string{
	`update gaming.entries set real_before = real_before + 0.00000001 where wallet_id = $1 and seq = $2`,
	`update gaming.entries set real_after = real_after - 0.00000001 where wallet_id = $1 and seq = $2`,
	`update gaming.entries set bonus_before = bonus_before + 3 where wallet_id = $1 and seq = $2`,
	`update gaming.entries set bonus_after = bonus_after + 9999999999 where wallet_id = $1 and seq = $2`,
	`update gaming.entries set external_id = external_id || 'x' where wallet_id = $1 and seq = $2`,
	`update gaming.entries set reference = 'r' where wallet_id = $1 and seq = $2`,
	`update gaming.entries set round_id = 'r' where wallet_id = $1 and seq = $2`,
	`update gaming.entries set actor = actor || ' ' where wallet_id = $1 and seq = $2`,
	`update gaming.entries set details = '{"a": 1}' where wallet_id = $1 and seq = $2`,
	`update gaming.entries set occurred_at = occurred_at - interval '1 microsecond' where wallet_id = $1 and seq = $2`,
	`update gaming.entries set recorded_at = recorded_at + interval '1 day' where wallet_id = $1 and seq = $2`,
	`update gaming.entries set hash = sha256(hash) where wallet_id = $1 and seq = $2`,
	`update gaming.entries set seq = seq + 1000 where wallet_id = $1 and seq = $2`,
	`update gaming.entries set kind = case kind when 'opening' then 'deposit' else 'opening' end::gaming.movement_kind
	where wallet_id = $1 and seq = $2`,
	`update gaming.entries set wallet_id = gen_random_uuid() where wallet_id = $1 and seq = $2`,
	`delete from gaming.entries where wallet_id = $1 and seq = $2`,
	`update gaming.wallets set real = real + $2 + 1 where id = $1`,
	`update gaming.wallets set bonus = bonus + $2 + 1 where id = $1`,
	`update gaming.wallets set seq = seq + 1 + $2 where id = $1`,
	`update gaming.wallets set head = sha256(head || $2::bigint::text::bytea) where id = $1`,
	`update gaming.wallets set currency = 'USD' where id = $1 and $2 >= 0`,
	`update gaming.wallets set brand_id = 'other' where id = $1 and $2 >= 0`,
}

func TestRun_FindsEachRandomCorruptionAndNothingElse(t *testing.T) {
	t.Parallel()
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	const deposits = 7
	f := newFixture(t, chaintest.Spec{Wallets: 3 * len(corruptions), Deposits: deposits})

	want, how := map[uuid.UUID]bool{}, map[uuid.UUID]string{}
	for i, statement := range corruptions {
		id, seq := f.spec.Wallet(i*3+random.IntN(3)).ID(), random.Int64N(deposits+1)
		want[id], how[id] = true, fmt.Sprintf("seq %d: %s", seq, statement)
		chaintest.Plant(t, f.owner, statement, id, seq)
	}
	f.plant(t, `update gaming.heartbeat set beat_at = clock_timestamp()`)
	for _, options := range []chaincheck.Options{{All: true, Order: chaincheck.OrderKey}, {All: true, Order: chaincheck.OrderTable}, {}, {All: true, Brand: "acme", BatchSize: 3}} {
		found := map[uuid.UUID]bool{}
		for _, finding := range f.run(t, options).Findings {
			if finding.Brand != "" { // not the entry that was given to no wallet
				found[finding.WalletID] = true
			}
		}
		if diff := cmp.Diff(expected(want, how, options), found); diff != "" {
			t.Errorf("all %v, brand %q: %s\n%v", options.All, options.Brand, diff, how)
		}
	}
}

// expected leaves out the wallet that was given to another brand where only the
// old one is looked at.
func expected(want map[uuid.UUID]bool, how map[uuid.UUID]string, options chaincheck.Options) map[uuid.UUID]bool {
	list := map[uuid.UUID]bool{}
	for id := range want {
		if options.Brand == "" || !strings.Contains(how[id], "brand_id") {
			list[id] = true
		}
	}
	return list
}
