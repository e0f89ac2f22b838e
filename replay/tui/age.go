package tui

import (
	"fmt"
	"time"
)

// age writes how long ago something was in at most six characters. A clock
// that is behind the database's makes nothing younger than now.
func age(d time.Duration) string {
	d = max(0, d)
	hours := int(d / time.Hour)
	switch {
	case d < time.Minute:
		return fmt.Sprintf("%ds", int(d/time.Second))
	case d < time.Hour:
		return fmt.Sprintf("%dm", int(d/time.Minute))
	case hours < 24:
		return fmt.Sprintf("%dh%02dm", hours, int(d/time.Minute)%60)
	case hours < 100*24:
		return fmt.Sprintf("%dd%02dh", hours/24, hours%24)
	}
	return fmt.Sprintf("%dd", min(hours/24, 99_999))
}
