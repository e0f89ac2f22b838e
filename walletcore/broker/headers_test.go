package broker_test

import (
	"encoding/json"
	"math"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	amqp "github.com/rabbitmq/amqp091-go"
	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/walletcore/broker"
)

func TestHeadersJSON_ComesBackAsItWas(t *testing.T) {
	t.Parallel()
	headers := map[string]any{
		"text": "日本\n\x1b", "binary text": "a\x00b\xff", "bytes": []byte{0, 255}, "none": nil, "yes": true,
		"count": int64(math.MaxInt64), "ratio": 1.5, "inf": math.Inf(1),
		"time":    time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC),
		"decimal": amqp.Decimal{Scale: 2, Value: -5000},
		"table":   amqp.Table{"inner": []any{"a", int64(1), amqp.Table{"b": []byte("c")}}},
	}
	text, err := broker.HeadersJSON(headers)
	require.NoError(t, err)
	require.NotContains(t, string(text), `\u0000`, "PostgreSQL takes it")
	again, err := broker.ParseHeaders(text)
	require.NoError(t, err)
	require.Empty(t, cmp.Diff(headers, again))
}

func TestHeadersJSON_RefusesWhatItCouldNotGiveBack(t *testing.T) {
	t.Parallel()
	deep := amqp.Table{}
	for range 1000 {
		deep = amqp.Table{"in": deep}
	}
	for name, headers := range map[string]map[string]any{
		"depth": deep, "a name with a dollar": {"$text": "x"}, "a name that is not UTF-8": {"\xff": 1}, "a name with NUL": {"a\x00": 1},
	} {
		_, err := broker.HeadersJSON(headers)
		require.Error(t, err, name)
	}
}

func TestParseHeaders_RefusesWhatItDidNotWrite(t *testing.T) {
	t.Parallel()
	for _, text := range []string{`[]`, `{`, `{"a":1.5}`, `{"a":{"$new":1}}`, `{"a":{"$decimal":[300,1]}}`, `{"a":{"$bytes":"%"}}`} {
		_, err := broker.ParseHeaders(json.RawMessage(text))
		require.Error(t, err, text)
	}
}
