package gateway

import (
	"encoding/json"
	"net/http"
)

// answer writes an error in the form of casino's other doors.
func answer(w http.ResponseWriter, status int, code, message string) {
	var body struct {
		Error struct {
			Code    string `json:"code"`
			Message string `json:"message"`
		} `json:"error"`
	}
	body.Error.Code, body.Error.Message = code, message
	writeJSON(w, status, body)
}

func answerAccepted(w http.ResponseWriter, messageID string) {
	writeJSON(w, http.StatusOK, map[string]string{"message_id": messageID})
}

func writeJSON(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	// The client may be gone; there is nobody left to tell.
	_ = json.NewEncoder(w).Encode(body)
}
