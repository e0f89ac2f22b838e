package config

import (
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/walletctl/walletctl/cmd/internal/yamlfile"
	"github.com/walletctl/walletctl/walletcore/provider"
)

// readUnkeyed reads until when, and by which header, a producer may send
// movements without an id. There is no deadline by default.
func readUnkeyed(node *yaml.Node, o *provider.ProfileOptions) *Error {
	if node == nil {
		return nil
	}
	s, err := yamlfile.Mapping(node, "unkeyed", "until", "message_id_header")
	if err != nil {
		return err
	}
	until, err := s.Text("until")
	if err != nil {
		return err
	}
	deadline, problem := time.Parse(time.RFC3339, until)
	if problem != nil {
		return yamlfile.At(s.Values["until"], "until must be a time such as 2027-03-01T00:00:00Z")
	}
	header, err := s.Text("message_id_header")
	if err != nil {
		return err
	}
	o.Unkeyed = &provider.Unkeyed{Until: deadline.UTC(), MessageIDHeader: header}
	return nil
}
