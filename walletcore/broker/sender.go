package broker

import "context"

// Sender sends what may be lost, such as a reply that is asked for again: it
// does not wait for the broker's word, and a message that no queue takes is
// dropped. It is safe for concurrent use and ends with its Conn.
type Sender struct{ publisher *Publisher }

// NewSender returns a sender on c.
func NewSender(c *Conn) *Sender { return &Sender{newPublisher(c, laneMode{})} }

// Send returns when m was written, or *NotSentError or *UnconfirmedError when
// it was not until ctx ended.
func (s *Sender) Send(ctx context.Context, m Message) error {
	m.Optional = true
	sent, err := s.publisher.send(ctx, m)
	if err == nil {
		sent.lane.forget(sent)
	}
	return err
}
