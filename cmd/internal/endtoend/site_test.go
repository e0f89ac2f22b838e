package endtoend_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
)

// client gives up before a test does.
var client = &http.Client{Timeout: 30 * time.Second}

// answer is what a door of casino said.
type answer struct {
	status int
	body   string
	took   time.Duration
}

// problem returns the code and the field of an error.
func (a answer) problem() (code, field string) {
	var body struct {
		Error struct{ Code, Field string }
	}
	_ = json.Unmarshal([]byte(a.body), &body)
	return body.Error.Code, body.Error.Field
}

// deposit is a deposit as its brand's site knows it.
type deposit struct {
	ID       string `json:"id"`
	Status   string `json:"status"`
	Brand    string `json:"brand"`
	User     string `json:"user"`
	Currency string `json:"currency"`
	Amount   string `json:"amount"`
	Gateway  string `json:"gateway"`
	Account  string `json:"account"`
}

// order asks for a deposit. Empty fields take the ones of a simple one.
type order struct {
	brand, user, currency, amount, gateway string
}

func (o order) withDefaults() order {
	for field, value := range map[*string]string{
		&o.brand: acme, &o.user: "u-1", &o.currency: "EUR", &o.amount: "50.00", &o.gateway: "pix",
	} {
		if *field == "" {
			*field = value
		}
	}
	return o
}

// create makes a deposit by the brand's site.
func (p *platform) create(o order) deposit {
	p.t.Helper()
	d, err := p.tryCreate(o, uuid.NewString())
	require.NoError(p.t, err)
	return d
}

// tryCreate is create with the caller's own key, for one who tries again.
func (p *platform) tryCreate(o order, key string) (deposit, error) {
	o = o.withDefaults()
	body := fmt.Sprintf(`{"user":%q,"currency":%q,"amount":%q,"gateway":%q}`, o.user, o.currency, o.amount, o.gateway)
	a, err := p.site(o.brand, http.MethodPost, "/deposits", body, http.Header{"Idempotency-Key": {key}})
	if err != nil {
		return deposit{}, err
	}
	var d deposit
	if a.status != http.StatusCreated && a.status != http.StatusOK {
		return d, fmt.Errorf("create a deposit: %d %s", a.status, a.body)
	}
	return d, json.Unmarshal([]byte(a.body), &d)
}

// show reads a deposit by a brand's site.
func (p *platform) show(brand, id string) answer {
	p.t.Helper()
	a, err := p.site(brand, http.MethodGet, "/deposits/"+id, "", nil)
	require.NoError(p.t, err)
	return a
}

// status returns where a deposit is.
func (p *platform) status(d deposit) string {
	p.t.Helper()
	a := p.show(d.Brand, d.ID)
	require.Equal(p.t, http.StatusOK, a.status, a.body)
	var now deposit
	require.NoError(p.t, json.Unmarshal([]byte(a.body), &now))
	return now.Status
}

// waitStatus returns when the deposit has come to a status.
func (p *platform) waitStatus(d deposit, want string) {
	p.t.Helper()
	await(p.t, "deposit "+d.ID+" to be "+want, func() bool { return p.status(d) == want })
}

// site calls casino with the brand's token.
func (p *platform) site(brand, method, path, body string, header http.Header) (answer, error) {
	request, err := http.NewRequest(method, p.casino.Load().URL()+path, strings.NewReader(body))
	if err != nil {
		return answer{}, err
	}
	for name, values := range header {
		request.Header[name] = values
	}
	request.Header.Set("Authorization", "Bearer "+p.doors.tokens[brand])
	return send(request)
}

func send(request *http.Request) (answer, error) {
	began := time.Now()
	response, err := client.Do(request)
	if err != nil {
		return answer{}, err
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	return answer{status: response.StatusCode, body: string(text), took: time.Since(began)}, err
}
