package simulator

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/walletctl/walletctl/walletcore"
)

// style is how the ids of a round look.
type style string

const (
	plain  style = "plain"
	digits style = "digits" // 19 of them, sent as a JSON integer
	long   style = "long"   // as long as an id may be
)

// styles are drawn from; most ids are plain.
var styles = []style{plain, plain, plain, plain, plain, plain, plain, digits, digits, long}

// ids makes the ids of a round: the same from the same run, player and round,
// and never those of another.
type ids struct {
	run           string
	player, round int
	style         style
	count         int
}

// runName tells runs of one seed apart, and seeds of one run.
func runName(o *Options) string { return o.Run + "-" + strconv.FormatUint(o.Seed, 36) }

// userID names a player. Two that follow each other differ in case alone.
func userID(o *Options, number int) string {
	if len(o.Users) > 0 {
		return o.Users[number]
	}
	id := fmt.Sprintf("sim|%s-%d", runName(o), number/2)
	if number%2 == 1 {
		return strings.ToUpper(id)
	}
	return strings.ToLower(id)
}

// next makes one more id; the tag tells people what it is for.
func (s *ids) next(tag string) string {
	name := fmt.Sprintf("%s-%d-%d-%s%d", s.run, s.player, s.round, tag, s.count)
	s.count++
	switch s.style {
	case digits:
		return strconv.FormatInt(number(name), 10)
	case long:
		return pad(name)
	}
	return name
}

const alikeForms = 3

// alike makes two ids that a careless reader takes for one: equal as floats,
// equal but for case, or equal up to their last byte.
func (s *ids) alike(form int) (one, two string) {
	s.style = plain
	name := s.next("odd")
	switch form {
	case 0:
		n := number(name) &^ 1
		return strconv.FormatInt(n, 10), strconv.FormatInt(n+1, 10)
	case 1:
		return strings.ToLower(name), strings.ToUpper(name)
	}
	return pad(name)[:walletcore.MaxGivenID-1] + "1", pad(name)[:walletcore.MaxGivenID-1] + "2"
}

// number makes 19 digits of a name, within 64 bits with sign.
func number(name string) int64 {
	const least, most = 1_000_000_000_000_000_000, 9_000_000_000_000_000_000
	sum := sha256.Sum256([]byte(name))
	return int64(least + binary.BigEndian.Uint64(sum[:])%(most-least))
}

func pad(name string) string {
	return name + strings.Repeat("x", max(0, walletcore.MaxGivenID-len(name)))
}

// jsonID is an id as it is sent: those of 19 digits as an integer.
type jsonID string

// MarshalJSON implements [json.Marshaler].
func (id jsonID) MarshalJSON() ([]byte, error) {
	if len(id) == 19 && strings.Trim(string(id), "0123456789") == "" {
		return []byte(id), nil
	}
	return json.Marshal(string(id))
}
