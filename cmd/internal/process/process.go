// Package process runs a service's binary as an operator would: with settings
// in its environment, until it is told to stop or is killed. The demo and the
// end-to-end tests share it.
package process

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"syscall"
	"time"
)

// Options of Start.
type Options struct {
	// Name is for people: "gaming-1".
	Name string
	// Binary is the path of the program.
	Binary string
	// Env is added to this process's environment, as "NAME=value". HTTP_ADDR
	// is set to a free port of the loopback interface unless it is given here.
	Env []string
	// Log receives what the program writes, line by line.
	Log io.Writer
}

// Process is a running service.
type Process struct {
	Name string

	cmd       *exec.Cmd
	url       string        // set before listening is closed
	listening chan struct{} // closed when the program has told its address
	err       error         // of Wait, set before ended is closed
	ended     chan struct{} // closed when the program has ended
}

// Start starts the program. It dies with this process.
func Start(o Options) (*Process, error) {
	cmd := exec.Command(o.Binary)
	cmd.Env = append(append(os.Environ(), "HTTP_ADDR=127.0.0.1:0"), o.Env...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL, Setpgid: true}
	stderr, err := cmd.StderrPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("start %s: %w", o.Name, err)
	}
	p := &Process{Name: o.Name, cmd: cmd, listening: make(chan struct{}), ended: make(chan struct{})}
	go p.follow(stderr, o.Log)
	return p, nil
}

// follow copies the log and picks the address out of it, then waits for the
// end.
func (p *Process) follow(stderr io.Reader, log io.Writer) {
	lines := bufio.NewReader(stderr)
	for {
		line, err := lines.ReadBytes('\n')
		if log != nil {
			_, _ = log.Write(line)
		}
		p.hear(line)
		if err != nil {
			break
		}
	}
	p.err = p.cmd.Wait()
	close(p.ended)
}

// hear picks the address out of a line of the log. A program listens once.
func (p *Process) hear(line []byte) {
	var record struct{ Msg, Address string }
	if p.url == "" && json.Unmarshal(line, &record) == nil && record.Msg == "listening" {
		p.url = "http://" + record.Address
		close(p.listening)
	}
}

// WaitReady returns when /readyz says so, with an error when the program ended
// before.
func (p *Process) WaitReady(ctx context.Context) error {
	select {
	case <-p.listening:
	case <-p.ended:
		return p.endedEarly()
	case <-ctx.Done():
		return fmt.Errorf("%s does not listen: %w", p.Name, ctx.Err())
	}
	for {
		if get(ctx, p.url+"/readyz") == nil {
			return nil
		}
		select {
		case <-time.After(20 * time.Millisecond):
		case <-p.ended:
			return p.endedEarly()
		case <-ctx.Done():
			return fmt.Errorf("%s does not become ready: %w", p.Name, ctx.Err())
		}
	}
}

func (p *Process) endedEarly() error {
	return fmt.Errorf("%s ended while starting, with exit code %d", p.Name, p.ExitCode())
}

func get(ctx context.Context, url string) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	_, _ = io.Copy(io.Discard, resp.Body)
	if resp.StatusCode != http.StatusOK {
		return fmt.Errorf("GET %s: %s", url, resp.Status)
	}
	return nil
}

// URL is where the program answers HTTP. It is empty before WaitReady.
func (p *Process) URL() string {
	select {
	case <-p.listening:
		return p.url
	default:
		return ""
	}
}

// Ended is closed when the program has ended.
func (p *Process) Ended() <-chan struct{} { return p.ended }

// Kill ends the program at once, as kill -9 does, and returns when it is gone.
func (p *Process) Kill() {
	_ = p.cmd.Process.Kill()
	<-p.ended
}

// Signal sends a signal: SIGSTOP, SIGCONT, ...
func (p *Process) Signal(s os.Signal) error { return p.cmd.Process.Signal(s) }

// Terminate asks the program to stop and returns when it has, with an error
// unless it exits 0. One that does not stop before ctx ends is killed.
func (p *Process) Terminate(ctx context.Context) error {
	_ = p.cmd.Process.Signal(syscall.SIGTERM)
	select {
	case <-p.ended:
		return p.exitError()
	case <-ctx.Done():
		p.Kill()
		return fmt.Errorf("%s did not stop: %w", p.Name, ctx.Err())
	}
}

// ExitCode returns the code of a program that has ended, -1 where a signal
// ended it.
func (p *Process) ExitCode() int {
	<-p.ended
	return p.cmd.ProcessState.ExitCode()
}

func (p *Process) exitError() error {
	<-p.ended
	if p.err != nil {
		return fmt.Errorf("%s: %w", p.Name, p.err)
	}
	if !p.cmd.ProcessState.Success() {
		return errors.New(p.Name + " did not exit with 0")
	}
	return nil
}
