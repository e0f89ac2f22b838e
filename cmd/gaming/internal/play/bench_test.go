package play_test

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/cmd/gaming/internal/play"
	"github.com/walletctl/walletctl/walletcore"
	"github.com/walletctl/walletctl/walletcore/ledger"
	"github.com/walletctl/walletctl/walletcore/provider"
	"github.com/walletctl/walletctl/walletcore/wallettest"
)

var player = walletcore.WalletKey{Brand: "acme", User: "u|1", Currency: "EUR"}

// bench is gaming's door on a database of its own. Each provider is named
// after its dialect; the second one of a dialect after it and a "2".
type bench struct {
	t      testing.TB
	db     *wallettest.Database
	ledger *ledger.Ledger
	mux    *http.ServeMux
	now    time.Time // the handler's clock
}

func newBench(t testing.TB, change ...func(*provider.ProfileOptions)) *bench {
	t.Helper()
	return newSplitBench(t, "", change...)
}

// newSplitBench is newBench for a brand with its own way to split bets.
func newSplitBench(t testing.TB, split walletcore.SplitPolicy, change ...func(*provider.ProfileOptions)) *bench {
	t.Helper()
	b := &bench{t: t, db: wallettest.NewDatabase(t), now: time.Now()}
	b.open(b.db.Pool(t, wallettest.Gaming), split, 20*time.Second, change...)
	return b
}

// open opens the door on a pool; the wallet may take as long as timeout.
func (b *bench) open(pool *pgxpool.Pool, split walletcore.SplitPolicy, timeout time.Duration, change ...func(*provider.ProfileOptions)) {
	b.t.Helper()
	var err error
	b.ledger, err = ledger.New(ledger.Options{Pool: pool, Keys: wallettest.Keys(b.t)})
	require.NoError(b.t, err)
	wallet, err := play.New(play.Options{
		Ledger: b.ledger, Reader: ledger.NewReader(pool), Splits: map[string]walletcore.SplitPolicy{player.Brand: split},
	})
	require.NoError(b.t, err)
	handler, err := provider.NewHandler(provider.HandlerOptions{
		Profiles: profiles(b.t, change...), Wallet: wallet, Timeout: timeout, Now: func() time.Time { return b.now },
	})
	require.NoError(b.t, err)
	b.mux = http.NewServeMux()
	b.mux.Handle(provider.Pattern, handler)
}

func profiles(t testing.TB, change ...func(*provider.ProfileOptions)) *provider.Profiles {
	t.Helper()
	all, err := provider.NewProfiles()
	require.NoError(t, err)
	for _, dialect := range provider.DialectNames() {
		for _, name := range []string{dialect, dialect + "2"} {
			o := provider.ProfileOptions{Brand: player.Brand, Provider: name, Dialect: dialect, Secrets: [][]byte{secretOf(name)}}
			for _, c := range change {
				c(&o)
			}
			p, err := provider.NewProfile(o)
			require.NoError(t, err)
			require.NoError(t, all.Add(p))
		}
	}
	return all
}

func secretOf(name string) []byte { return []byte("the-secret-of-" + name) }

// fund credits a deposit.
func (b *bench) fund(amount string) {
	b.t.Helper()
	_, err := b.ledger.CreditDeposit(b.t.Context(), walletcore.DepositCredit{
		DepositID: "d-1", Wallet: player, Amount: walletcore.MustParseMoney(amount), OccurredAt: time.Now(),
	})
	require.NoError(b.t, err)
}

// post posts a movement that is no provider's.
func (b *bench) post(kind walletcore.Kind, id, amount string) {
	b.t.Helper()
	results, err := b.ledger.Post(b.t.Context(), []ledger.Request{{{
		Wallet: player, Kind: kind, ExternalID: id, Amount: walletcore.MustParseMoney(amount), Actor: "casino", OccurredAt: time.Now(),
	}}})
	require.NoError(b.t, err)
	require.NoError(b.t, results[0].Err())
}

// answer is what came back.
type answer struct {
	status int
	body   map[string]any
	text   string
}

// call sends a signed body.
func (b *bench) call(name, operation, body string) answer {
	b.t.Helper()
	return b.callWith(name, operation, body, http.Header{})
}

// callWith is call with more headers.
func (b *bench) callWith(name, operation, body string, header http.Header) answer {
	b.t.Helper()
	r := httptest.NewRequest(http.MethodPost, "/providers/acme/"+name+"/"+operation, bytes.NewReader([]byte(body)))
	r.Header = header
	mac := hmac.New(sha256.New, secretOf(name))
	mac.Write([]byte(body))
	digest := hex.EncodeToString(mac.Sum(nil))
	r.Header.Set("Authorization", "HMAC-SHA256 "+digest)
	r.Header.Set("X-Signature", digest)
	r.Header.Set("X-REQUEST-SIGN", digest)
	w := httptest.NewRecorder()
	b.mux.ServeHTTP(w, r)
	got := answer{status: w.Code, text: w.Body.String()}
	decoder := json.NewDecoder(bytes.NewReader(w.Body.Bytes()))
	decoder.UseNumber()
	require.NoError(b.t, decoder.Decode(&got.body), got.text)
	return got
}

func (b *bench) ok(name, operation, body string) answer {
	b.t.Helper()
	got := b.call(name, operation, body)
	require.Equal(b.t, http.StatusOK, got.status, got.text)
	return got
}

func (b *bench) requireBalance(real string) {
	b.t.Helper()
	wallet, err := ledger.NewReader(b.db.Pool(b.t, wallettest.Owner)).Wallet(b.t.Context(), player.ID())
	require.NoError(b.t, err)
	require.Equal(b.t, walletcore.MustParseMoney(real), wallet.Real, "real is %s", wallet.Real)
	wallettest.RequireClosed(b.t, b.db.Pool(b.t, wallettest.Owner), wallettest.Keys(b.t))
}

func (b *bench) count(query string, args ...any) int {
	b.t.Helper()
	var n int
	require.NoError(b.t, b.db.Pool(b.t, wallettest.Owner).QueryRow(b.t.Context(), query, args...).Scan(&n))
	return n
}
