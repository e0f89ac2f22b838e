package command

import (
	"errors"
	"io/fs"
	"os"
	"strings"
)

// secret reads the secret, which is never printed.
func (c *simulateFlags) secret(f *factory) ([]byte, error) {
	const try = "give the secret by --secret-env NAME or --secret-file FILE"
	if c.secretFile != "" {
		text, err := os.ReadFile(c.secretFile)
		var path *fs.PathError
		if errors.As(err, &path) {
			return nil, usagef(try, "--secret-file cannot be read: %w", path.Err)
		}
		return []byte(strings.TrimSuffix(strings.TrimSuffix(string(text), "\n"), "\r")), err
	}
	if c.secretEnv == "" {
		return nil, usagef(try, "there is no secret to sign with")
	}
	for _, pair := range f.environ {
		if name, value, _ := strings.Cut(pair, "="); name == c.secretEnv && value != "" {
			return []byte(value), nil
		}
	}
	return nil, usagef(try, "the variable that --secret-env names is not set, or empty")
}
