package chaincheck

import (
	"log/slog"
	"runtime"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/walletctl/walletctl/walletcore"
)

// Defaults of [Options].
const (
	DefaultWindow           = 25 * time.Hour
	DefaultMaxLag           = 15 * time.Minute
	DefaultBatchSize        = 20_000
	DefaultMaxFindings      = 1_000
	DefaultAttempts         = 7
	DefaultStatementTimeout = time.Minute

	maxWorkers   = 64
	maxBatchSize = 1_000_000
)

// Deps is what a run needs from its program.
type Deps struct {
	// Pool leads to the replica, by a login that reads schema gaming and is a
	// member of pg_monitor. A primary works too.
	Pool *pgxpool.Pool
	// Keys verify the hashes and sign the checkpoint. Nil: hashes are not
	// verified, which is a warning, and the checkpoint is compared but neither
	// verified nor moved forward.
	Keys *walletcore.Keyring
	// Clock is the time of this host; default time.Now.
	Clock func() time.Time
	// Logger gets what a person may want to know of a run that takes long, such
	// as statements repeated; default: nothing is logged.
	Logger *slog.Logger
}

// Options say what is checked and how. The zero value checks the window of
// every wallet without a checkpoint.
type Options struct {
	// Window is how far back entries are read; default 25 hours: a daily cron,
	// and an hour to spare.
	Window time.Duration
	// All reads every entry there is, whatever Window says.
	All bool
	// Brand limits the run to the wallets of one brand; default all.
	Brand string
	// Wallet limits the run to one wallet; default all. A limited run moves
	// forward only the checkpoints of the wallets it read, does not count as
	// the last good run, and does not look for entries without a wallet.
	Wallet uuid.UUID
	// MaxLag is how far behind the replica may be before the report is a
	// warning; default 15 minutes.
	MaxLag time.Duration
	// Workers is the number of connections that read at the same time; default
	// one a processor, at most 4, and never more than the pool has.
	Workers int
	// StateDir holds the checkpoint, on another host's disk than the
	// database's. Empty: entries cut off the end cannot be seen.
	StateDir string
	// BatchSize is the number of entries that one statement reads; default
	// 20,000, some 50 milliseconds.
	BatchSize int
	// Order is how entries are read where all of them are; default whichever
	// visits fewer pages. The result is the same.
	Order Order
	// MaxFindings is how many findings the report lists; default 1,000. All of
	// them are counted.
	MaxFindings int
	// Attempts is how often a statement is tried without coming forward;
	// default 7, over about 6 seconds.
	Attempts int
	// StatementTimeout is the longest that one statement may take; default one
	// minute.
	StatementTimeout time.Duration
	// Progress is told how far the run is, a few times a second, never by two
	// goroutines at once; default nobody is.
	Progress func(Progress)
}

// Order is an order in which entries are read.
type Order string

// The orders.
const (
	// OrderKey follows the primary key: wallet by wallet, a page an entry.
	OrderKey Order = "key"
	// OrderTable follows the table, page by page, and many wallets at once.
	OrderTable Order = "table"
)

// Progress is how far a run is.
type Progress struct {
	WalletsChecked int64
	WalletsTotal   int64 // an estimate by the database's statistics
	EntriesChecked int64
	EntriesTotal   int64 // an estimate; 0 where only a window is read
	RangesDone     int
	Ranges         int
	Suspects       int64 // wallets found broken so far
}

// Validate refuses options that make no sense. The error is an *OptionError.
func (o *Options) Validate() error {
	switch {
	case o.Window < 0:
		return &OptionError{"window", "must not be negative"}
	case o.MaxLag < 0:
		return &OptionError{"max-lag", "must not be negative"}
	case o.Workers < 0 || o.Workers > maxWorkers:
		return &OptionError{"workers", "must be 1 to 64, or 0 for the default"}
	case o.BatchSize < 0 || o.BatchSize > maxBatchSize:
		return &OptionError{"batch-size", "must be 1 to 1000000, or 0 for the default"}
	case o.Order != "" && o.Order != OrderKey && o.Order != OrderTable:
		return &OptionError{"order", "must be key or table"}
	case o.MaxFindings < 0 || o.Attempts < 0 || o.StatementTimeout < 0:
		return &OptionError{"limits", "must not be negative"}
	case o.Brand != "" && o.Wallet != uuid.Nil:
		return &OptionError{"brand", "cannot be combined with a wallet"}
	}
	if o.Brand != "" {
		if err := walletcore.CheckID("brand", o.Brand, walletcore.MaxName); err != nil {
			return &OptionError{"brand", "is not the id of a brand"}
		}
	}
	return nil
}

func (o *Options) setDefaults(maxConns int) {
	o.Window = orDefault(o.Window, DefaultWindow)
	o.MaxLag = orDefault(o.MaxLag, DefaultMaxLag)
	o.BatchSize = orDefault(o.BatchSize, DefaultBatchSize)
	o.MaxFindings = orDefault(o.MaxFindings, DefaultMaxFindings)
	o.Attempts = orDefault(o.Attempts, DefaultAttempts)
	o.StatementTimeout = orDefault(o.StatementTimeout, DefaultStatementTimeout)
	o.Workers = min(orDefault(o.Workers, min(4, runtime.NumCPU())), maxConns)
}

func orDefault[T int | time.Duration](value, otherwise T) T {
	if value == 0 {
		return otherwise
	}
	return value
}

// limited reports whether only some wallets are checked.
func (o *Options) limited() bool { return o.Brand != "" || o.Wallet != uuid.Nil }

func (d *Deps) setDefaults() {
	if d.Clock == nil {
		d.Clock = time.Now
	}
	if d.Logger == nil {
		d.Logger = slog.New(slog.DiscardHandler)
	}
}
