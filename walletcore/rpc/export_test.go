package rpc

// What reads bytes of the queue, for the fuzz targets.
var (
	ReadRequest = readRequest
	ReadReply   = readReply
)
