// Package version says which build a program is.
package version

import (
	"runtime"
	"runtime/debug"
)

// Version is set when a release is linked:
//
//	go build -ldflags "-X github.com/walletctl/walletctl/cmd/internal/version.Version=v1.2.3"
var Version string

// Info describes the build.
type Info struct {
	Version  string `json:"version"`
	Revision string `json:"revision"` // of the source; empty where it is not known
	Modified bool   `json:"modified"` // the source had changes that were not committed
	Go       string `json:"go"`
}

// Get returns what is known of the running build: what the linker set, or else
// what the Go tool recorded.
func Get() Info {
	info := Info{Version: Version, Go: runtime.Version()}
	build, ok := debug.ReadBuildInfo()
	if !ok {
		return info.orUnknown()
	}
	if info.Version == "" {
		info.Version = build.Main.Version
	}
	for _, setting := range build.Settings {
		switch setting.Key {
		case "vcs.revision":
			info.Revision = setting.Value
		case "vcs.modified":
			info.Modified = setting.Value == "true"
		}
	}
	return info.orUnknown()
}

func (i Info) orUnknown() Info {
	if i.Version == "" {
		i.Version = "(devel)"
	}
	return i
}
