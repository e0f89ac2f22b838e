package gateway_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/walletcore/gateway"
)

func TestStripeVerify_ReadsItsHeader(t *testing.T) {
	t.Parallel()
	body := []byte(`{"id":"evt_1", "object":"event"}`)
	good := stripeHeaderOf(now, secret, body)
	stamp, v1, _ := strings.Cut(good, ",")
	other := strings.Repeat("0", 64)
	for name, c := range map[string]struct {
		values []string
		want   error
	}{
		"as sent":               {[]string{good}, nil},
		"signed by the new one": {[]string{stripeHeaderOf(now, newSecret, body)}, nil},
		"several v1":            {[]string{stamp + ",v1=" + other + "," + v1}, nil},
		"a v1 that is no hex":   {[]string{stamp + ",v1=zz," + v1}, nil},
		"another scheme too":    {[]string{good + ",v0=" + other}, nil},
		"another order":         {[]string{v1 + "," + stamp}, nil},
		"upper case":            {[]string{stamp + ",v1=" + strings.ToUpper(v1[3:])}, nil},
		"only v0":               {[]string{stamp + ",v0=" + v1[3:]}, gateway.ErrSignatureMalformed},
		"no time":               {[]string{v1}, gateway.ErrSignatureMalformed},
		"two times":             {[]string{"t=1," + good}, gateway.ErrSignatureMalformed},
		"negative time":         {[]string{"t=-1," + v1}, gateway.ErrSignatureMalformed},
		"huge time":             {[]string{"t=" + strings.Repeat("9", 100) + "," + v1}, gateway.ErrSignatureMalformed},
		"empty time":            {[]string{"t=," + v1}, gateway.ErrSignatureMalformed},
		"no pairs":              {[]string{"garbage"}, gateway.ErrSignatureMalformed},
		"commas":                {[]string{",,,"}, gateway.ErrSignatureMalformed},
		"no header":             {nil, gateway.ErrSignatureMissing},
		"two headers":           {[]string{good, good}, gateway.ErrSignatureRepeated},
		"a megabyte":            {[]string{strings.Repeat("v1=00,", 200_000) + good}, gateway.ErrSignatureMalformed},
		"other time, same v1":   {[]string{"t=1772600766," + v1}, gateway.ErrSignatureMismatch},
		"wrong v1":              {[]string{stamp + ",v1=" + other}, gateway.ErrSignatureMismatch},
		"cut v1":                {[]string{good[:len(good)-1]}, gateway.ErrSignatureMalformed},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			err := dialect(t, "stripe").Verify(headers("Stripe-Signature", c.values...), body, secrets, now)
			require.ErrorIs(t, err, c.want)
		})
	}
}

func TestStripeVerify_SignatureIsOverTheBytesReceived(t *testing.T) {
	t.Parallel()
	body := []byte(`{"a":1.0,  "b":"\u00E9\/"}`)
	header := headers("Stripe-Signature", stripeHeaderOf(now, secret, body))
	require.NoError(t, dialect(t, "stripe").Verify(header, body, secrets, now))
	err := dialect(t, "stripe").Verify(header, []byte(`{"a":1.0, "b":"\u00E9\/"}`), secrets, now)
	require.ErrorIs(t, err, gateway.ErrSignatureMismatch)
}

func TestStripeVerify_ToleranceHoldsInBothDirections(t *testing.T) {
	t.Parallel()
	strict := dialect(t, "stripe").(gateway.Tolerant).WithTolerance(10 * time.Second)
	for _, c := range []struct {
		dialect gateway.Dialect
		age     time.Duration
		want    error
	}{
		{dialect(t, "stripe"), 300 * time.Second, nil},
		{dialect(t, "stripe"), 301 * time.Second, gateway.ErrSignatureStale},
		{dialect(t, "stripe"), -300 * time.Second, nil},
		{dialect(t, "stripe"), -301 * time.Second, gateway.ErrSignatureStale},
		{strict, 10 * time.Second, nil},
		{strict, 11 * time.Second, gateway.ErrSignatureStale},
	} {
		header := headers("Stripe-Signature", stripeHeaderOf(now.Add(-c.age), secret, []byte("{}")))
		require.ErrorIs(t, c.dialect.Verify(header, []byte("{}"), secrets, now), c.want, c.age)
	}
}

func TestStripeVerify_AStrangerLearnsNothingAboutTheClock(t *testing.T) {
	t.Parallel()
	header := headers("Stripe-Signature", stripeHeaderOf(now.Add(-time.Hour), []byte("guess"), []byte("{}")))
	require.ErrorIs(t, dialect(t, "stripe").Verify(header, []byte("{}"), secrets, now), gateway.ErrSignatureMismatch)
}
