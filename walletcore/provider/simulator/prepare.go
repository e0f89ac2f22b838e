package simulator

import (
	"errors"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/walletctl/walletctl/walletcore"
	"github.com/walletctl/walletctl/walletcore/provider"
)

var runForm = regexp.MustCompile(`^[a-z0-9-]*$`)

// prepare checks the options and fills in the defaults.
func (o *Options) prepare() error {
	for _, check := range []func() (field, reason string){o.checkURL, o.checkProfile, o.checkSize, o.checkMix, o.checkRetries} {
		if field, reason := check(); field != "" {
			return &OptionError{Field: field, Reason: reason}
		}
	}
	return nil
}

func (o *Options) checkURL() (field, reason string) {
	u, err := url.Parse(o.URL)
	switch {
	case err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "":
		return "url", "must be like http://gaming:8080"
	case u.RawQuery != "" || u.Fragment != "":
		return "url", "must not hold a query or a fragment"
	}
	o.URL = strings.TrimRight(o.URL, "/")
	return "", ""
}

// checkProfile lets the rules of profiles say what is wrong with one.
func (o *Options) checkProfile() (field, reason string) {
	if walletcore.CheckCurrency(o.Currency) != nil {
		return "currency", "must be an upper-case code such as EUR"
	}
	dialect, ok := dialects[o.Dialect]
	if !ok {
		return "dialect", "must be one of " + strings.Join(DialectNames(), ", ")
	}
	profile, err := provider.NewProfile(provider.ProfileOptions{
		Brand: o.Brand, Provider: o.Provider, Dialect: o.Dialect, Secrets: [][]byte{o.Secret},
		Signature: o.Signature, Policy: o.Policy, Codes: o.Codes,
	})
	var wrong *provider.ProfileError
	if errors.As(err, &wrong) {
		return strings.ReplaceAll(strings.TrimSuffix(wrong.Field, "s"), "_", "-"), wrong.Reason
	}
	o.Policy, o.dialect = profile.Policy, dialect
	return o.checkUnit()
}

func (o *Options) checkUnit() (field, reason string) {
	places := walletcore.MinorUnits(o.Currency)
	if o.Unit != nil {
		places = *o.Unit
	}
	if places < 0 || places > walletcore.Places {
		return "unit", "must be 0 to 8 decimal places"
	}
	o.step = 1
	for range walletcore.Places - places {
		o.step *= 10
	}
	if o.Fund.IsZero() {
		o.Fund = walletcore.MoneyFromUnits(DefaultFund * o.step)
	}
	if o.Fund.Sign() < 0 || !o.Fund.FitsPlaces(places) {
		return "fund", "must be above zero and not finer than the unit"
	}
	return "", ""
}

func (o *Options) checkSize() (field, reason string) {
	if o.Players == 0 {
		o.Players = DefaultPlayers
		if len(o.Users) > 0 {
			o.Players = len(o.Users)
		}
	}
	o.Rounds = orDefault(o.Rounds, DefaultRounds)
	o.Concurrency = orDefault(o.Concurrency, DefaultConcurrency)
	o.Cut = max(0, orDefault(o.Cut, DefaultCut))
	o.MaxFindings = orDefault(o.MaxFindings, DefaultMaxFindings)
	switch {
	case o.Players < 1 || o.Players > MaxPlayers:
		return "players", within(MaxPlayers)
	case o.Rounds < 1 || o.Rounds > MaxRounds:
		return "rounds", within(MaxRounds)
	case o.Concurrency < 1 || o.Concurrency > MaxConcurrency:
		return "concurrency", within(MaxConcurrency)
	case o.Cut > 100:
		return "cut", "must be at most 100"
	case o.MaxFindings < 1:
		return "max-findings", "must be above zero"
	}
	return o.checkNames()
}

func within(most int) string { return "must be 1 to " + strconv.Itoa(most) }

func (o *Options) checkNames() (field, reason string) {
	if len(o.Users) > 0 && o.Players != len(o.Users) {
		return "players", "must be left out where the users are given"
	}
	for i, user := range o.Users {
		if walletcore.CheckID("user", user, walletcore.MaxGivenID) != nil || slices.Contains(o.Users[:i], user) {
			return "user", "must be 1 to 255 bytes without control characters, and not stand twice"
		}
	}
	if !runForm.MatchString(o.Run) || len(o.Run) > maxRunID {
		return "run", "must be 1 to 32 of a-z, 0-9 and '-'"
	}
	return "", ""
}

func (o *Options) checkMix() (field, reason string) {
	for scenario, weight := range o.Mix {
		switch {
		case !known(scenario):
			return "mix", "holds an unknown scenario; there are " + strings.Join(Scenarios(), ", ")
		case weight < 0 || weight > 1000:
			return "mix", "holds a weight outside 0 to 1000"
		}
	}
	t := o.dialect.traits()
	if _, total := mix(o, &t); total == 0 {
		return "mix", "leaves no scenario that the dialect has"
	}
	return "", ""
}

func (o *Options) checkRetries() (field, reason string) {
	if o.Retries == nil {
		o.Retries = DefaultRetries()
	}
	for _, wait := range o.Retries {
		if wait < 0 {
			return "retries", "must not be negative"
		}
	}
	if o.Timeout < 0 {
		return "timeout", "must be above zero"
	}
	o.Timeout = orDefault(o.Timeout, DefaultTimeout)
	if o.Clock == nil {
		o.Clock = FastClock{Speed: DefaultSpeed}
	}
	if o.Client == nil {
		o.Client = newClient(o.Concurrency)
	}
	if o.Run == "" {
		o.Run = strconv.FormatInt(o.Clock.Now().UnixNano(), 36)
	}
	return "", ""
}

// newClient keeps a connection for each call under way.
func newClient(connections int) *http.Client {
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.MaxIdleConnsPerHost = connections
	return &http.Client{
		Transport:     transport,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

func orDefault[T ~int | ~int64](given, otherwise T) T {
	if given == 0 {
		return otherwise
	}
	return given
}
