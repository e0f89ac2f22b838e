package queue

// ReceivedFrom reads a webhook as it comes out of the queue, for the fuzz
// target.
var ReceivedFrom = received
