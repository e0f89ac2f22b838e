package config

import "github.com/walletctl/walletctl/cmd/internal/yamlfile"

// Error says what is wrong with casino.yaml, and where.
type Error = yamlfile.Error
