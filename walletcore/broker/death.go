package broker

import (
	"time"

	amqp "github.com/rabbitmq/amqp091-go"
)

// Death says how a message came to be a dead letter.
type Death struct {
	Queue    string // that gave it up
	Exchange string // that it was published to
	Reason   string
	// Count is how often it was given up, those times included from which it
	// was sent again.
	Count int
	First time.Time
	Last  time.Time
}

// Death reads how the message died off its headers. What it does not say is
// empty, and a time is now.
func (d *Delivery) Death(now time.Time) Death {
	death := Death{Count: 1, First: now, Last: now}
	if reason, ok := d.Headers[HeaderDeadReason].(string); ok && d.trusted {
		death.parked(d, reason)
	} else {
		death.dropped(d)
	}
	if before, ok := d.Headers[HeaderDeaths].(int64); ok && d.trusted && before > 0 && before < 1<<30 {
		death.Count += int(before)
		if first, ok := d.Headers[HeaderFirstDeath].(int64); ok {
			death.First = time.UnixMilli(first)
		}
	}
	if death.First.After(death.Last) || death.First.Year() < 1970 {
		death.First = death.Last
	}
	return death
}

// parked: this package gave it up.
func (death *Death) parked(d *Delivery, reason string) {
	death.Reason = reason
	death.Queue, _ = d.Headers[HeaderDeadQueue].(string)
	death.Exchange, _ = d.Headers[HeaderDeadExchange].(string)
	if at, ok := d.Headers[HeaderDeadAt].(int64); ok {
		death.First, death.Last = time.UnixMilli(at), time.UnixMilli(at)
	}
}

// dropped: the broker gave it up. It keeps the last death first.
func (death *Death) dropped(d *Delivery) {
	all, _ := d.Headers["x-death"].([]any)
	if len(all) == 0 {
		death.Reason = "unknown: it was put among the dead letters directly"
		return
	}
	last, _ := all[0].(amqp.Table)
	reason, _ := last["reason"].(string)
	death.Reason = brokersWord(reason)
	death.Queue, _ = last["queue"].(string)
	death.Exchange, _ = last["exchange"].(string)
	if at, ok := last["time"].(time.Time); ok && at.Year() >= 1970 && at.Year() <= 9999 {
		death.First, death.Last = at, at
	}
}

func brokersWord(reason string) string {
	switch reason {
	case "delivery_limit":
		return "delivery_limit: it was delivered as often as its queue allows, and failed or ended its process each time"
	case "rejected":
		return "rejected: its receiver refused it"
	}
	return reason
}
