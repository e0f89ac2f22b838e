package demo

import (
	"io"
	"net"
	"net/url"
	"sync"
	"sync/atomic"
)

// lossy is a network in front of the broker that can lose what a service sends:
// its replies and acknowledgements are gone, and it does not know.
type lossy struct {
	listener net.Listener
	target   string
	losing   atomic.Bool

	mu    sync.Mutex
	conns []net.Conn
}

// newLossy listens in front of the server of a URL and returns the URL that
// leads through.
func newLossy(raw string) (*lossy, string, error) {
	u, err := url.Parse(raw)
	if err != nil {
		return nil, "", err
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, "", err
	}
	l := &lossy{listener: listener, target: u.Host}
	go l.accept()
	u.Host = listener.Addr().String()
	return l, u.String(), nil
}

func (l *lossy) accept() {
	for {
		client, err := l.listener.Accept()
		if err != nil {
			return
		}
		server, err := net.Dial("tcp", l.target)
		if err != nil {
			client.Close()
			continue
		}
		l.mu.Lock()
		l.conns = append(l.conns, client, server)
		l.mu.Unlock()
		go func() { _, _ = io.Copy(client, server) }()
		go func() { _, _ = io.Copy(&sink{l, server}, client) }()
	}
}

// sink passes bytes on, or loses them.
type sink struct {
	lossy  *lossy
	server net.Conn
}

func (s *sink) Write(b []byte) (int, error) {
	if s.lossy.losing.Load() {
		return len(b), nil
	}
	return s.server.Write(b)
}

// lose begins to lose what the service sends.
func (l *lossy) lose() { l.losing.Store(true) }

// heal cuts the connections, as a network that comes back does, and loses
// nothing more.
func (l *lossy) heal() {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, conn := range l.conns {
		conn.Close()
	}
	l.conns = nil
	l.losing.Store(false)
}

func (l *lossy) close() {
	l.listener.Close()
	l.heal()
}
