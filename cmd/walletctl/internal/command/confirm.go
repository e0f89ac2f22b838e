package command

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"golang.org/x/term"

	"github.com/walletctl/walletctl/cmd/walletctl/internal/output"
)

// confirm wants a text typed before money moves: given by --confirm, or on the
// terminal. The error is a usage error; nothing was done.
func confirm(f *factory, given, want string) error {
	if given == want {
		return nil
	}
	if given != "" {
		return usagef(fmt.Sprintf("--confirm %q", want), "--confirm does not say %q", want)
	}
	in, ok := f.streams.In.(*os.File)
	if !ok || !term.IsTerminal(int(in.Fd())) {
		return usagef(fmt.Sprintf("--confirm %q", want), "nobody confirmed: stdin is no terminal")
	}
	fmt.Fprintf(f.streams.Err, "Type %s to confirm: ", output.Safe(want))
	typed, err := readLine(in)
	if err != nil {
		return err
	}
	if typed != want {
		return usagef(fmt.Sprintf("type %s, as it stands there", want), "not confirmed, nothing was done")
	}
	return nil
}

// readLine reads one line, unless a signal comes first.
func readLine(in *os.File) (string, error) {
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	defer signal.Stop(signals)
	line := make(chan string, 1)
	go func() {
		text, _ := bufio.NewReader(in).ReadString('\n')
		line <- strings.TrimSpace(text)
	}()
	select {
	case text := <-line:
		return text, nil
	case <-signals:
		return "", errors.New("interrupted, nothing was done")
	}
}
