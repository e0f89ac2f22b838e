package broker

import (
	"fmt"
	"maps"
	"strconv"
	"time"

	amqp "github.com/rabbitmq/amqp091-go"
)

// Message is what is published: persistent, and to be taken by a queue, unless
// it says otherwise.
type Message struct {
	Exchange      string // empty: the default exchange, where Key names a queue
	Key           string
	ID            string // stable over repetitions of the same message
	Type          string
	CorrelationID string
	ReplyTo       string
	UserID        string // empty, or that of the connection: the broker refuses any other
	Headers       map[string]any
	ContentType   string // default: application/json
	Body          []byte
	Expiration    time.Duration // in the queue; 0: never. Whole milliseconds
	Timestamp     time.Time     // whole seconds on the wire; zero: none
	// Transient messages are lost when the broker restarts.
	Transient bool
	// Optional messages may be dropped by the broker where no queue takes
	// them.
	Optional bool
}

// headerSequence correlates a returned message with its publication: ids and
// correlation ids may repeat.
const headerSequence = "x-publication"

const maxShortString = 255 // bytes, of AMQP

// check refuses what the library would only find half way through a frame,
// where it ends the whole connection.
func (m *Message) check() error {
	for _, short := range []struct{ name, value string }{
		{"exchange", m.Exchange},
		{"key", m.Key},
		{"message id", m.ID},
		{"type", m.Type},
		{"correlation id", m.CorrelationID},
		{"user id", m.UserID},
		{"reply address", m.ReplyTo},
		{"content type", m.ContentType},
	} {
		if len(short.value) > maxShortString {
			return fmt.Errorf("%s is longer than %d bytes", short.name, maxShortString)
		}
	}
	for name := range m.Headers {
		if len(name) > maxShortString {
			return fmt.Errorf("name of a header is longer than %d bytes", maxShortString)
		}
	}
	return amqp.Table(m.Headers).Validate()
}

func (m *Message) publishing(sequence int64) amqp.Publishing {
	headers := make(amqp.Table, len(m.Headers)+1)
	maps.Copy(headers, m.Headers)
	if !m.Optional {
		headers[headerSequence] = sequence
	}
	p := amqp.Publishing{
		Headers:       headers,
		ContentType:   m.ContentType,
		DeliveryMode:  amqp.Persistent,
		CorrelationId: m.CorrelationID,
		ReplyTo:       m.ReplyTo,
		UserId:        m.UserID,
		MessageId:     m.ID,
		Timestamp:     m.Timestamp,
		Type:          m.Type,
		Body:          m.Body,
	}
	setDefault(&p.ContentType, "application/json")
	if m.Transient {
		p.DeliveryMode = amqp.Transient
	}
	if m.Expiration > 0 {
		p.Expiration = strconv.FormatInt(m.Expiration.Milliseconds(), 10)
	}
	return p
}
