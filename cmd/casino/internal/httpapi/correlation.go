package httpapi

import (
	"net/http"

	"github.com/google/uuid"
)

const correlationHeader = "X-Correlation-ID"

// correlationID returns the caller's own id of the request, where it is fit
// for logs and headers, or a new one.
func correlationID(h http.Header) string {
	values := h.Values(correlationHeader)
	if len(values) == 1 && isCorrelationID(values[0]) {
		return values[0]
	}
	return uuid.NewString()
}

func isCorrelationID(id string) bool {
	for i := range len(id) {
		if c := id[i]; c <= ' ' || c > '~' || c == '"' || c == '\\' {
			return false
		}
	}
	return len(id) >= 1 && len(id) <= 128
}
