package wallettest

import (
	"net"
	"sync/atomic"
)

// link is one connection through a proxy.
type link struct {
	proxy    *Proxy
	client   *net.TCPConn
	server   *net.TCPConn
	swallow  atomic.Bool // the next reply is the last thing that happens
	hasReset atomic.Bool
}

func (l *link) run() {
	server, err := net.Dial("tcp", l.proxy.target)
	if err != nil {
		l.reset()
		return
	}
	l.server = server.(*net.TCPConn)
	if !l.proxy.add(l) {
		l.reset()
		return
	}
	defer l.proxy.remove(l)
	go l.replies()
	l.requests()
}

// requests copies from the client to the server until either is gone.
func (l *link) requests() {
	buffer := make([]byte, 32<<10)
	for {
		<-l.proxy.readable()
		n, err := l.client.Read(buffer)
		if n > 0 && !l.request(buffer[:n]) {
			return
		}
		if err != nil {
			l.finish(l.server)
			return
		}
	}
}

func (l *link) request(chunk []byte) bool {
	action := l.proxy.decide(chunk)
	if action == CutBefore {
		l.reset()
		return false
	}
	if action == CutAfterReply {
		l.swallow.Store(true)
	}
	if l.proxy.dropRequests.Load() {
		return true
	}
	_, err := l.server.Write(chunk)
	return err == nil
}

// replies copies from the server to the client until either is gone.
func (l *link) replies() {
	buffer := make([]byte, 32<<10)
	for {
		n, err := l.server.Read(buffer)
		if n > 0 && l.swallow.Load() {
			l.reset()
			return
		}
		if n > 0 && !l.proxy.dropReplies.Load() {
			if _, err := l.client.Write(buffer[:n]); err != nil {
				return
			}
		}
		if err != nil {
			l.finish(l.client)
			return
		}
	}
}

// finish passes an end of stream on, unless the link was cut.
func (l *link) finish(to *net.TCPConn) {
	if !l.hasReset.Load() {
		_ = to.Close()
	}
}

// reset closes both sides at once and without a goodbye.
func (l *link) reset() {
	l.hasReset.Store(true)
	for _, side := range []*net.TCPConn{l.client, l.server} {
		if side != nil {
			_ = side.SetLinger(0)
			_ = side.Close()
		}
	}
}
