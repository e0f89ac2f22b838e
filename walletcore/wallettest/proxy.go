package wallettest

import (
	"net"
	"net/url"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"
)

// Action is what a proxy does with bytes that a client sent.
type Action int

// The actions.
const (
	// Pass: on to the server.
	Pass Action = iota
	// CutBefore: the server never sees them, and the connection dies.
	CutBefore
	// CutAfterReply: the server gets them, its answer is swallowed, and then
	// the connection dies. What the server did, the client does not know.
	CutAfterReply
)

// Proxy is a faulty network between a client and a server, for any protocol
// over TCP.
type Proxy struct {
	target       string
	listener     net.Listener
	dropReplies  atomic.Bool
	dropRequests atomic.Bool
	refuse       atomic.Bool
	onRequest    atomic.Pointer[func([]byte) Action]

	mu      sync.Mutex
	resumed chan struct{} // closed while requests are read
	stalled bool
	links   map[*link]struct{}
	done    bool
}

// NewProxy listens on a free port in front of target, a host:port. It ends with
// the test.
func NewProxy(t testing.TB, target string) *Proxy {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	p := &Proxy{target: target, listener: listener, resumed: make(chan struct{}), links: map[*link]struct{}{}}
	close(p.resumed)
	go p.accept()
	t.Cleanup(p.end)
	return p
}

// NewProxyFor listens in front of the server of a URL, and returns the URL that
// leads through the proxy as well.
func NewProxyFor(t testing.TB, raw string) (*Proxy, string) {
	t.Helper()
	u, err := url.Parse(raw)
	require.NoError(t, err)
	p := NewProxy(t, u.Host)
	return p, p.Rewrite(raw)
}

// Addr returns the proxy's host:port.
func (p *Proxy) Addr() string { return p.listener.Addr().String() }

// Rewrite returns the URL with the proxy's host and port.
func (p *Proxy) Rewrite(raw string) string {
	u, err := url.Parse(raw)
	if err != nil {
		panic("wallettest: malformed URL")
	}
	u.Host = p.Addr()
	return u.String()
}

// Cut resets every connection.
func (p *Proxy) Cut() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for l := range p.links {
		l.reset()
	}
}

// Inject sends bytes to every client as if they came from the server. The
// connections should be idle, or the bytes may fall into the middle of others.
func (p *Proxy) Inject(chunk []byte) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for l := range p.links {
		_, _ = l.client.Write(chunk)
	}
}

// DropReplies swallows what the server sends, from now on or no more.
// Connections stay open.
func (p *Proxy) DropReplies(drop bool) { p.dropReplies.Store(drop) }

// DropRequests swallows what clients send, from now on or no more. Connections
// stay open.
func (p *Proxy) DropRequests(drop bool) { p.dropRequests.Store(drop) }

// Refuse resets new connections, from now on or no more.
func (p *Proxy) Refuse(refuse bool) { p.refuse.Store(refuse) }

// Stall reads nothing more from clients, so that their writes block once the
// buffers between are full, or reads again.
func (p *Proxy) Stall(stall bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case stall && !p.stalled:
		p.resumed = make(chan struct{})
	case !stall && p.stalled:
		close(p.resumed)
	}
	p.stalled = stall
}

// OnRequest lets decide look at each chunk of bytes that a client sends. A
// chunk is what one read gave; the hook may be called concurrently. nil passes
// everything.
func (p *Proxy) OnRequest(decide func(chunk []byte) Action) {
	if decide == nil {
		p.onRequest.Store(nil)
		return
	}
	p.onRequest.Store(&decide)
}

func (p *Proxy) decide(chunk []byte) Action {
	if decide := p.onRequest.Load(); decide != nil {
		return (*decide)(chunk)
	}
	return Pass
}

func (p *Proxy) accept() {
	for {
		client, err := p.listener.Accept()
		if err != nil {
			return
		}
		l := &link{proxy: p, client: client.(*net.TCPConn)}
		if p.refuse.Load() {
			l.reset()
			continue
		}
		go l.run()
	}
}

func (p *Proxy) readable() <-chan struct{} {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.resumed
}

func (p *Proxy) add(l *link) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.done {
		return false
	}
	p.links[l] = struct{}{}
	return true
}

func (p *Proxy) remove(l *link) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.links, l)
}

func (p *Proxy) end() {
	_ = p.listener.Close()
	p.Stall(false)
	p.mu.Lock()
	p.done = true
	p.mu.Unlock()
	p.Cut()
}
