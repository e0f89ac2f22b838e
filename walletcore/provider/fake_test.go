package provider_test

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/walletcore"
	"github.com/walletctl/walletctl/walletcore/provider"
)

var (
	secret = []byte("the-secret-of-acme-games")
	now    = time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)
	errOut = errors.New("the database is away")
)

// walletID is what the fake's receipts name.
const walletID = "11111111-1111-1111-1111-111111111111"

// fake is one wallet in memory, with the ledger's rules as far as answers
// depend on them. That the ledger keeps them is tested where it is.
type fake struct {
	mu       sync.Mutex
	balance  walletcore.Parts
	seq      int64
	entries  map[string]walletcore.Receipt // by kind and id
	requests []provider.Request
	err      error                  // of every call
	refusal  walletcore.RefusalCode // of every action
}

func newFake(real string) *fake {
	return &fake{
		balance: walletcore.Parts{Real: walletcore.MustParseMoney(real)},
		entries: map[string]walletcore.Receipt{},
	}
}

func (f *fake) Balance(context.Context, walletcore.WalletKey) (walletcore.Parts, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.balance, f.err
}

func (f *fake) Posted(_ context.Context, _ walletcore.WalletKey, kind provider.Kind, id string) (bool, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	_, ok := f.entries[key(kind, id)]
	return ok, f.err
}

func (f *fake) Play(_ context.Context, request provider.Request) (provider.Result, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.requests = append(f.requests, request)
	if f.err != nil {
		return provider.Result{}, f.err
	}
	var result provider.Result
	for _, action := range request.Actions {
		result.Outcomes = append(result.Outcomes, f.one(action))
	}
	result.Balance = f.balance
	return result, nil
}

func (f *fake) one(a provider.Action) provider.Outcome {
	if f.refusal != "" {
		return provider.Outcome{Err: &walletcore.RefusedError{Code: f.refusal}}
	}
	kind := a.Kind
	if kind == provider.Rollback {
		kind = provider.Refund
		if _, ok := f.entries[key(provider.Win, a.ID)]; ok {
			kind = provider.WinReversal
		}
	}
	if old, ok := f.entries[key(kind, a.ID)]; ok {
		if moved := moved(old); moved != a.Amount && old.Mark == "" && (kind == provider.Bet || kind == provider.Win) {
			return provider.Outcome{Err: &walletcore.ConflictError{Field: "amount", Stored: "secret", Given: a.Amount.String()}}
		}
		return provider.Outcome{Posted: walletcore.Posted{Receipt: old, Replayed: true}}
	}
	return f.post(kind, a)
}

func (f *fake) post(kind provider.Kind, a provider.Action) provider.Outcome {
	change, mark := a.Amount, walletcore.Mark("")
	switch kind {
	case provider.Bet:
		change = change.Neg()
		if _, ok := f.entries[key(provider.Refund, a.ID)]; ok {
			change, mark = walletcore.Money{}, walletcore.MarkVoid
		}
	case provider.Refund:
		bet, ok := f.entries[key(provider.Bet, a.ID)]
		if change = moved(bet); !ok {
			mark = walletcore.MarkTombstone
		}
	case provider.WinReversal:
		change = moved(f.entries[key(provider.Win, a.ID)]).Neg()
	}
	after := f.balance.Real.Add(change)
	if after.Sign() < 0 {
		return provider.Outcome{Err: &walletcore.RefusedError{Code: walletcore.RefusedNoFunds, Detail: "internal detail"}}
	}
	f.seq++
	receipt := walletcore.Receipt{
		WalletID: uuid.MustParse(walletID), Seq: f.seq, ExternalID: a.ID, Mark: mark, RealBefore: f.balance.Real, RealAfter: after,
	}
	f.balance.Real = after
	f.entries[key(kind, a.ID)] = receipt
	return provider.Outcome{Posted: walletcore.Posted{Receipt: receipt}}
}

func key(kind provider.Kind, id string) string { return string(kind) + " " + id }

func moved(r walletcore.Receipt) walletcore.Money {
	m := r.RealAfter.Sub(r.RealBefore)
	if m.Sign() < 0 {
		return m.Neg()
	}
	return m
}

// door is one provider's, named after its dialect.
type door struct {
	t       testing.TB
	dialect string
	wallet  *fake
	mux     *http.ServeMux
	url     string
	now     time.Time
	seen    []provider.Reason
	unkeyed []provider.UnkeyedFate
}

func options(dialect string, change ...func(*provider.ProfileOptions)) provider.ProfileOptions {
	o := provider.ProfileOptions{Brand: "acme", Provider: "games", Dialect: dialect, Secrets: [][]byte{[]byte("one that is going out"), secret}}
	for _, c := range change {
		c(&o)
	}
	return o
}

func newDoor(t testing.TB, dialect, balance string, change ...func(*provider.ProfileOptions)) *door {
	t.Helper()
	p, err := provider.NewProfile(options(dialect, change...))
	require.NoError(t, err)
	profiles, err := provider.NewProfiles(p)
	require.NoError(t, err)
	d := &door{t: t, dialect: dialect, wallet: newFake(balance), mux: http.NewServeMux(), now: now}
	d.url = "/providers/" + p.Brand + "/" + p.Provider + "/"
	handler, err := provider.NewHandler(provider.HandlerOptions{
		Profiles: profiles, Wallet: d.wallet, Now: func() time.Time { return d.now },
		Observe:        func(_, _ string, reason provider.Reason) { d.seen = append(d.seen, reason) },
		ObserveUnkeyed: func(_, _ string, fate provider.UnkeyedFate) { d.unkeyed = append(d.unkeyed, fate) },
	})
	require.NoError(t, err)
	d.mux.Handle(provider.Pattern, handler)
	d.mux.HandleFunc(provider.OpenAPIPattern, provider.ServeOpenAPI)
	return d
}

func sum(body string) string {
	mac := hmac.New(sha256.New, secret)
	mac.Write([]byte(body))
	return hex.EncodeToString(mac.Sum(nil))
}

// signed is the header of a body, by dialect.
func signed(dialect, body string) http.Header {
	switch dialect {
	case "process":
		return http.Header{"Authorization": {"HMAC-SHA256 " + sum(body)}}
	case "standard":
		return http.Header{"X-Signature": {sum(body)}}
	}
	return http.Header{"X-Request-Sign": {sum(body)}}
}

func (d *door) send(operation, body string, header http.Header) (status int, answer string) {
	r := httptest.NewRequest(http.MethodPost, d.url+operation, strings.NewReader(body))
	r.Header = header
	w := httptest.NewRecorder()
	d.mux.ServeHTTP(w, r)
	return w.Code, strings.TrimSuffix(w.Body.String(), "\n")
}

// want sends a signed body and compares the whole answer. §n stands for our id
// of the nth entry.
func (d *door) want(operation, body string, status int, answer string) {
	d.t.Helper()
	answer = strings.ReplaceAll(answer, "§", walletID+"-")
	gotStatus, got := d.send(operation, body, signed(d.dialect, body))
	require.Equal(d.t, answer, got, "%s %s", operation, body)
	require.Equal(d.t, status, gotStatus, "%s %s", operation, body)
}

func newRecorder(h http.Handler, r *http.Request) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}
