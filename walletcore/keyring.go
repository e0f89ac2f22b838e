package walletcore

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"os"

	"go.yaml.in/yaml/v3"
)

const minSecret = 32

// Keyring holds the secrets of the hash chain, which the database never sees.
// The active one signs; all of them verify.
type Keyring struct {
	active  int16
	secrets map[int16][]byte
}

// NewKeyring returns a keyring that signs with the key named active. Each
// secret has at least 32 bytes.
func NewKeyring(active int16, secrets map[int16][]byte) (*Keyring, error) {
	if _, ok := secrets[active]; !ok {
		return nil, fmt.Errorf("active key %d is not among the keys", active)
	}
	for id, secret := range secrets {
		if id < 1 {
			return nil, fmt.Errorf("key id %d: ids are 1 to 32767", id)
		}
		if len(secret) < minSecret {
			return nil, fmt.Errorf("key %d has %d bytes, at least %d are needed", id, len(secret), minSecret)
		}
	}
	return &Keyring{active: active, secrets: secrets}, nil
}

// LoadKeyring reads a key file (LEDGER_KEYS_FILE): YAML with the id of the
// active key and the keys by id, in hex. Errors never hold a secret.
func LoadKeyring(path string) (*Keyring, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("read ledger keys: %w", err)
	}
	keys, err := parseKeyring(data)
	if err != nil {
		return nil, fmt.Errorf("ledger keys in %s: %w", path, err)
	}
	return keys, nil
}

func parseKeyring(data []byte) (*Keyring, error) {
	var file struct {
		Active int16            `yaml:"active"`
		Keys   map[int16]string `yaml:"keys"`
	}
	dec := yaml.NewDecoder(bytes.NewReader(data))
	dec.KnownFields(true)
	if err := dec.Decode(&file); err != nil {
		// The decoder quotes what it could not read, which may be a secret.
		return nil, errors.New("not of the form \"active: 1\" and \"keys:\" with one \"id: hex\" a line")
	}
	secrets := make(map[int16][]byte, len(file.Keys))
	for id, text := range file.Keys {
		secret, err := hex.DecodeString(text)
		if err != nil {
			return nil, fmt.Errorf("key %d is not hex", id)
		}
		secrets[id] = secret
	}
	return NewKeyring(file.Active, secrets)
}

// Active returns the id of the key that signs.
func (k *Keyring) Active() int16 { return k.active }

// Hasher returns a new hasher over the keys.
func (k *Keyring) Hasher() *Hasher {
	return &Hasher{keys: k, macs: make(map[int16]hash.Hash, len(k.secrets))}
}

// SignFile returns the HMAC-SHA256 of a file kept outside the database, such
// as a checkpoint, under the key id. The purpose keeps signatures of different
// files, and of entries, apart. The error is an *UnknownKeyError.
func (k *Keyring) SignFile(id int16, purpose string, content []byte) ([]byte, error) {
	secret, ok := k.secrets[id]
	if !ok {
		return nil, &UnknownKeyError{KeyID: id}
	}
	mac := hmac.New(sha256.New, secret)
	mac.Write(appendText(nil, "walletctl file "+purpose))
	mac.Write(content)
	return mac.Sum(nil), nil
}
