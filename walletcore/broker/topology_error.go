package broker

import (
	"errors"
	"fmt"
	"regexp"

	amqp "github.com/rabbitmq/amqp091-go"
)

// TopologyError says that something exists on the broker with another type or
// argument than this program needs. It was left as it is.
type TopologyError struct {
	Kind     string // "queue" or "exchange"
	Name     string
	Argument string // "x-queue-type"; empty where the broker does not say
	Wanted   string
	Found    string
	Detail   string // the broker's own words
}

func (e *TopologyError) Error() string {
	if e.Argument == "" {
		return fmt.Sprintf("%s %s exists with other settings and was left as it is: %s", e.Kind, e.Name, e.Detail)
	}
	return fmt.Sprintf("%s %s exists with %s %s, wanted %s, and was left as it is. Try: move its messages elsewhere and delete it, then start again",
		e.Kind, e.Name, e.Argument, e.Found, e.Wanted)
}

var (
	inequivalent = regexp.MustCompile(`inequivalent arg '(.*?)' for .*: received (.*) but current is (.*)$`)
	quotedValue  = regexp.MustCompile(`^(?:the value )?'(.*?)'(?: of type '.*')?$`)
)

// topologyError turns the broker's reply to a declaration into an error.
func topologyError(kind, name string, err error) error {
	var reply *amqp.Error
	if !errors.As(err, &reply) || reply.Code != amqp.PreconditionFailed {
		return fmt.Errorf("declare %s %s: %w", kind, name, err)
	}
	result := &TopologyError{Kind: kind, Name: name, Detail: reply.Reason}
	if found := inequivalent.FindStringSubmatch(reply.Reason); found != nil {
		result.Argument = found[1]
		result.Wanted = plainValue(found[2])
		result.Found = plainValue(found[3])
	}
	return result
}

func plainValue(text string) string {
	if found := quotedValue.FindStringSubmatch(text); found != nil {
		return found[1]
	}
	return text
}
