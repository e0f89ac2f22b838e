package broker

import "sync/atomic"

// Stats counts what happened on a Conn since it was dialled.
type Stats struct {
	Connects    atomic.Int64 // connections made, the first one included
	Confirmed   atomic.Int64 // messages that the broker has
	Returned    atomic.Int64 // messages that no queue took
	Nacked      atomic.Int64 // messages that the broker refused
	Unconfirmed atomic.Int64 // messages whose fate is unknown
	Replies     atomic.Int64 // replies that a caller waited for
	LateReplies atomic.Int64 // replies that no caller waited for any more
	Delivered   atomic.Int64 // deliveries handled, again and again counted each time
	Acked       atomic.Int64
	Requeued    atomic.Int64 // given back to the broker, which counts them
	Parked      atomic.Int64 // published to a dead-letter exchange with a reason
	LostAcks    atomic.Int64 // settled when their channel was gone
	Pauses      atomic.Int64 // times that consuming paused
}
