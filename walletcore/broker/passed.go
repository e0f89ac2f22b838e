package broker

import (
	"maps"
	"strings"
	"time"

	amqp "github.com/rabbitmq/amqp091-go"
)

// Headers of a message that a service passed on in its own name: parked, or
// sent out of the dead letters again. They are believed only where the broker
// has checked that name.
const (
	// HeaderSender is who sent it first; empty where nobody said.
	HeaderSender = "x-sender"
	// HeaderDeaths is how often it was given up before.
	HeaderDeaths = "x-deaths"
	// HeaderFirstDeath is when for the first time, in Unix milliseconds.
	HeaderFirstDeath = "x-first-death"
	// HeaderRequeued names the dead letter that it was.
	HeaderRequeued = "x-requeued"
)

// isOwn reports whether the user own published a message itself.
func isOwn(raw *amqp.Delivery, own string) bool { return own != "" && raw.UserId == own }

// firstSender sees through a service that passed a message on: it must not lend
// a stranger's message its own name.
func firstSender(raw *amqp.Delivery, own string) string {
	if first, ok := raw.Headers[HeaderSender].(string); ok && isOwn(raw, own) {
		return first
	}
	return raw.UserId
}

// passing are the headers that a message gets on its way: from the broker, from
// this package, and those by which a sender names more queues than one.
func passing(name string) bool {
	switch name {
	case "CC", "BCC", headerSequence, HeaderDeadReason, HeaderDeadQueue, HeaderDeadExchange, HeaderDeadAt,
		HeaderSender, HeaderDeaths, HeaderFirstDeath, HeaderRequeued, "x-delivery-count", "x-acquired-count", "x-death":
		return true
	}
	return strings.HasPrefix(name, "x-first-death-") || strings.HasPrefix(name, "x-last-death-")
}

// Past is what a message that is sent again says of itself.
type Past struct {
	Sender string // who sent it first
	Letter string // the dead letter that it was
	Deaths int    // how often it was given up
	First  time.Time
}

// Again makes the message that a dead letter was: m with the headers that its
// sender gave it, and its past. The user own publishes it in its own name, and
// it still counts as the first sender's.
func Again(m Message, own string, past Past) Message {
	headers := maps.Clone(m.Headers)
	if headers == nil {
		headers = map[string]any{}
	}
	maps.DeleteFunc(headers, func(name string, _ any) bool { return passing(name) })
	headers[HeaderSender] = past.Sender
	headers[HeaderRequeued] = past.Letter
	headers[HeaderDeaths] = int64(past.Deaths)
	headers[HeaderFirstDeath] = past.First.UnixMilli()
	m.Headers, m.UserID = headers, own
	return m
}
