package strictjson_test

import (
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/walletcore/strictjson"
)

// What is kept of a document is of its own order, however it nests and however
// long its names are. Not in parallel: it reads the memory of the process.
func TestParse_CostsNoMoreThanItsDocument(t *testing.T) {
	const size = 1 << 20
	name := strings.Repeat("n", 200)
	open, end := "", ""
	for range 60 {
		open, end = open+`{"`+name+`":`, end+"}"
	}
	for title, body := range map[string]string{
		"many objects, deep": open + "[" + strings.Repeat(`{},`, (size-20_000)/3) + "{}]" + end,
		"many fields, deep":  open + "{" + fields(90_000) + "}" + end,
		"many lists":         `{"a":[` + strings.Repeat(`[],`, size/3) + `[]]}`,
		"digits":             `{"amount":` + strings.Repeat("9", size) + `}`,
		"an exponent":        `{"amount":1E1000000000}`,
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		object, err := strictjson.Parse([]byte(body))
		runtime.ReadMemStats(&after)
		require.NoError(t, err, title)
		require.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(150<<20), title)
		runtime.KeepAlive(object)
	}
}

func fields(n int) string {
	list := make([]string, n)
	for i := range list {
		list[i] = `"a` + strconv.Itoa(i) + `":1`
	}
	return strings.Join(list, ",")
}
