package history

import (
	"context"
	"errors"
	"iter"
	"time"

	"github.com/google/uuid"

	"github.com/walletctl/walletctl/walletcore"
	"github.com/walletctl/walletctl/walletcore/record"
)

// Options say what is brought in, and how.
type Options struct {
	// Brand is whose history it is.
	Brand string
	// Mapping and Sources are what is read.
	Mapping record.Mapping
	Sources []record.Source
	// Records replaces Sources where they are not files.
	Records func(ctx context.Context) (Feed, error)
	// Since and Until bound the movements that are taken: from Since on, before
	// Until. Zero: no bound. With Since, what lies before may come in later.
	Since, Until time.Time
	// Unkeyed gives rows without an id a deterministic one, and marks them.
	Unkeyed bool
	// TempDir is where rows are sorted. Default: the system's. It needs about as
	// much room as the plain source.
	TempDir string
	// BatchRows is about how many movements one transaction writes. Default:
	// 2,000, some tens of milliseconds.
	BatchRows int
	// Writers is how many transactions run at once. Default: 2.
	Writers int
	// Rate bounds the movements a second. Default: 0, no bound but the yielding
	// to those who wait for a lock.
	Rate int
	// Progress, where set, is told how far it is, from one goroutine at a time.
	Progress func(Progress)
	// Host is recorded with the import.
	Host string
}

// Feed is a source of records that was opened.
type Feed interface {
	Records() iter.Seq2[record.Record, error]
	Summary() record.Summary
	Progress() (read, size int64)
}

// Progress is how far a run is.
type Progress struct {
	Phase       string // "read" or "write"
	Read, Size  int64  // bytes of the source; Size is -1 where it is not known
	Rows, Total int64  // movements written or skipped, and all of them
	Wallets     int64  // written, skipped or refused
}

// Validate checks o and fills in the defaults.
func (o *Options) Validate() error {
	if err := walletcore.CheckID("brand", o.Brand, walletcore.MaxName); err != nil {
		return err
	}
	if err := o.Mapping.Validate(); err != nil {
		return err
	}
	switch {
	case len(o.Sources) == 0 && o.Records == nil:
		return errors.New("a source is needed")
	case !o.Since.IsZero() && !o.Until.IsZero() && !o.Since.Before(o.Until):
		return errors.New("since must be before until")
	case o.BatchRows < 0 || o.Writers < 0 || o.Rate < 0:
		return errors.New("batch, writers and rate must not be negative")
	}
	if o.BatchRows == 0 {
		o.BatchRows = 2_000
	}
	if o.Writers == 0 {
		o.Writers = 2
	}
	if o.Progress == nil {
		o.Progress = func(Progress) {}
	}
	return nil
}

func (o *Options) open(ctx context.Context) (Feed, error) {
	if o.Records != nil {
		return o.Records(ctx)
	}
	return record.Open(ctx, o.Mapping, o.Sources...)
}

// importNamespace is the UUID version 5 namespace of imports.
var importNamespace = uuid.MustParse("b9a0f4de-6a0c-5f63-9b0b-0d6d2b7f51c4")
