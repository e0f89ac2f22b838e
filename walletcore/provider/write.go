package provider

import (
	"encoding/json"
	"net/http"
)

func write(w http.ResponseWriter, status int, answer any) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	// The client may be gone; there is nobody left to tell.
	_ = encoder.Encode(answer)
}
