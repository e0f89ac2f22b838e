package history

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/google/uuid"

	"github.com/walletctl/walletctl/walletcore"
)

// prepared is a source that was read and is being sorted.
type prepared struct {
	found  Scanned
	run    Import
	digest [32]byte // of the mapping
	sorter *sorter
	dir    string
}

// close removes the files.
func (p *prepared) close() { _ = os.RemoveAll(p.dir) }

// prepare reads the whole source, to be sorted in a folder of that name. Nothing is written to the ledger.
func prepare(ctx context.Context, o *Options, folder string) (*prepared, error) {
	dir, err := os.MkdirTemp(o.TempDir, folder+"*")
	if err != nil {
		return nil, err
	}
	p := &prepared{dir: dir, sorter: newSorter(ctx, dir)}
	if err := p.read(ctx, o); err != nil {
		p.close()
		return nil, err
	}
	return p, nil
}

func (p *prepared) read(ctx context.Context, o *Options) error {
	feed, err := o.open(ctx)
	if err != nil {
		return err
	}
	s := scanner{options: o, sorter: p.sorter, wallets: map[walletcore.WalletKey]uuid.UUID{}}
	stop := every(ctx, time.Second/5, func() {
		read, size := feed.Progress()
		o.Progress(Progress{Phase: "read", Read: read, Size: size})
	})
	err = s.scan(ctx, feed)
	stop()
	if err != nil {
		return err
	}
	p.found = s.found
	p.run, p.digest, err = newImport(o, &p.found)
	return err
}

// every calls do now and then until stop is called; stop waits for its end.
func every(ctx context.Context, period time.Duration, do func()) (stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		ticker := time.NewTicker(period)
		defer ticker.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-ticker.C:
				do()
			}
		}
	}()
	return func() { cancel(); <-ended }
}

// folder is how the folders begin that rows are sorted in.
func (o *Options) folder() string {
	return fmt.Sprintf("walletctl-backfill-%x-", digestOf(o.Brand))
}

// removeLeft removes the files of runs that were killed. The caller holds the
// brand's lock.
func removeLeft(o *Options) error {
	parent := cmp.Or(o.TempDir, os.TempDir())
	left, err := filepath.Glob(filepath.Join(parent, o.folder()+"*"))
	if err != nil {
		return err
	}
	for _, dir := range left {
		if err := os.RemoveAll(dir); err != nil {
			return fmt.Errorf("remove what a killed run left: %w", err)
		}
	}
	return nil
}
