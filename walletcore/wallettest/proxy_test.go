package wallettest_test

import (
	"bufio"
	"net"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/walletcore/wallettest"
)

// echo is a server that sends each line back, and tells what it read.
func echo(t *testing.T) (address string, lines <-chan string) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { _ = listener.Close() })
	read := make(chan string, 100)
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			go func() {
				for in := bufio.NewScanner(conn); in.Scan(); {
					read <- in.Text()
					_, _ = conn.Write([]byte(in.Text() + "\n"))
				}
			}()
		}
	}()
	return listener.Addr().String(), read
}

// talk sends a line and returns what comes back within half a second.
func talk(t *testing.T, conn net.Conn, line string) (string, error) {
	t.Helper()
	_, err := conn.Write([]byte(line + "\n"))
	require.NoError(t, err)
	require.NoError(t, conn.SetReadDeadline(time.Now().Add(500*time.Millisecond)))
	buffer := make([]byte, 100)
	n, err := conn.Read(buffer)
	return string(buffer[:n]), err
}

func connect(t *testing.T, p *wallettest.Proxy) net.Conn {
	t.Helper()
	conn, err := net.Dial("tcp", p.Addr())
	require.NoError(t, err)
	t.Cleanup(func() { _ = conn.Close() })
	answer, err := talk(t, conn, "hello")
	require.NoError(t, err)
	require.Equal(t, "hello\n", answer)
	return conn
}

func TestProxy_CutAfterReplyReachesTheServerOnly(t *testing.T) {
	t.Parallel()
	address, lines := echo(t)
	p := wallettest.NewProxy(t, address)
	conn := connect(t, p)
	require.Equal(t, "hello", <-lines)
	p.OnRequest(func(chunk []byte) wallettest.Action {
		if string(chunk) == "commit\n" {
			return wallettest.CutAfterReply
		}
		return wallettest.Pass
	})
	answer, err := talk(t, conn, "begin")
	require.NoError(t, err)
	require.Equal(t, "begin\n", answer)
	_, err = talk(t, conn, "commit")
	require.ErrorContains(t, err, "reset")
	require.Equal(t, "begin", <-lines)
	require.Equal(t, "commit", <-lines)
}

func TestProxy_CutBeforeReachesNobody(t *testing.T) {
	t.Parallel()
	address, lines := echo(t)
	p := wallettest.NewProxy(t, address)
	conn := connect(t, p)
	require.Equal(t, "hello", <-lines)
	p.OnRequest(func([]byte) wallettest.Action { return wallettest.CutBefore })
	_, err := talk(t, conn, "commit")
	require.ErrorContains(t, err, "reset")
	p.OnRequest(nil)
	connect(t, p)
	require.Equal(t, "hello", <-lines, "and not what was cut")
}

func TestProxy_DropsInOneDirection(t *testing.T) {
	t.Parallel()
	address, lines := echo(t)
	p := wallettest.NewProxy(t, address)
	conn := connect(t, p)
	require.Equal(t, "hello", <-lines)
	p.DropReplies(true)
	_, err := talk(t, conn, "a")
	require.ErrorContains(t, err, "timeout")
	require.Equal(t, "a", <-lines)
	p.DropReplies(false)
	p.DropRequests(true)
	_, err = talk(t, conn, "b")
	require.ErrorContains(t, err, "timeout")
	p.DropRequests(false)
	answer, err := talk(t, conn, "c")
	require.NoError(t, err, "the connection stays")
	require.Equal(t, "c\n", answer)
	require.Equal(t, "c", <-lines)
}

func TestProxy_StallHoldsRequestsBack(t *testing.T) {
	t.Parallel()
	address, lines := echo(t)
	p := wallettest.NewProxy(t, address)
	conn := connect(t, p)
	require.Equal(t, "hello", <-lines)
	_, err := talk(t, conn, "a") // the read that goes on is still served
	require.NoError(t, err)
	require.Equal(t, "a", <-lines)
	p.Stall(true)
	_, _ = talk(t, conn, "b")
	_, err = talk(t, conn, "c")
	require.ErrorContains(t, err, "timeout")
	p.Stall(false)
	require.Equal(t, "b", <-lines)
	require.Equal(t, "c", <-lines)
}

func TestProxy_RefusesAndCuts(t *testing.T) {
	t.Parallel()
	address, _ := echo(t)
	p := wallettest.NewProxy(t, address)
	conn := connect(t, p)
	p.Refuse(true)
	fresh, err := net.Dial("tcp", p.Addr())
	if err == nil {
		_, err = fresh.Read(make([]byte, 1))
	}
	require.Error(t, err)
	p.Cut()
	_, err = conn.Read(make([]byte, 1))
	require.ErrorContains(t, err, "reset")
	p.Refuse(false)
	connect(t, p)
}

func TestProxy_RewriteKeepsTheRest(t *testing.T) {
	t.Parallel()
	address, _ := echo(t)
	p := wallettest.NewProxy(t, address)
	require.Equal(t, "postgres://u:p@"+p.Addr()+"/db?sslmode=disable", p.Rewrite("postgres://u:p@host:1/db?sslmode=disable"))
}
