package rpc

import (
	"context"

	"github.com/walletctl/walletctl/walletcore"
)

// What reads bytes of the queue, for the fuzz targets.
var (
	ReadRequest = readRequest
	ReadReply   = readReply
)

// Post runs a call.
func (c *call) Post(ctx context.Context, w Wallet) (walletcore.Withdrawn, error) {
	return c.post(ctx, w)
}
