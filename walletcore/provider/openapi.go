package provider

import (
	_ "embed"
	"net/http"
)

// OpenAPIPattern is where [ServeOpenAPI] belongs in an http.ServeMux.
const OpenAPIPattern = "GET /providers/openapi.json"

//go:embed openapi.json
var openAPI []byte

// ServeOpenAPI serves the document that describes the dialect standard.
func ServeOpenAPI(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	// The client may be gone; there is nobody left to tell.
	_, _ = w.Write(openAPI)
}
