package broker

import (
	"context"
	"net"
	"time"
)

// wire is the socket of a session. It closes itself when reading fails: the
// library takes a channel's lock to shut down, and a writer that waits for a
// dead peer holds that lock.
type wire struct{ net.Conn }

func (w *wire) Read(p []byte) (int, error) {
	n, err := w.Conn.Read(p)
	if err != nil {
		_ = w.Conn.Close()
	}
	return n, err
}

// dialWire connects within ctx and leaves its deadline on the socket, for the
// handshakes of TLS and AMQP. The library clears it when they are done.
func dialWire(ctx context.Context, network, address string) (*wire, error) {
	socket, err := new(net.Dialer).DialContext(ctx, network, address)
	if err != nil {
		return nil, err
	}
	deadline, ok := ctx.Deadline()
	if !ok {
		deadline = time.Now().Add(30 * time.Second)
	}
	if err := socket.SetDeadline(deadline); err != nil {
		_ = socket.Close()
		return nil, err
	}
	return &wire{socket}, nil
}
