package chaincheck

import (
	"time"

	"github.com/google/uuid"
)

// SchemaVersion is the version of the report in JSON. Fields are added under
// the same version; a changed meaning takes a new one.
const SchemaVersion = 1

// Report is what a run found. It holds times in UTC and amounts as decimal
// strings with 8 places.
type Report struct {
	SchemaVersion  int       `json:"schema_version"`
	Status         Status    `json:"status"`
	Error          string    `json:"error,omitempty"` // why nothing, or not all, was checked
	Mode           Mode      `json:"mode"`
	Brand          string    `json:"brand,omitempty"`
	Wallet         string    `json:"wallet,omitempty"`
	WindowStart    time.Time `json:"window_start,omitzero"` // unset where all was read
	WindowEnd      time.Time `json:"window_end"`            // as far as the replica had come
	StartedAt      time.Time `json:"started_at"`
	FinishedAt     time.Time `json:"finished_at"`
	DurationMillis int64     `json:"duration_ms"`

	WalletsChecked int64 `json:"wallets_checked"`
	EntriesChecked int64 `json:"entries_checked"`
	HashesVerified int64 `json:"hashes_verified"`
	RowsPerSecond  int64 `json:"rows_per_second"`
	Retries        int64 `json:"retries"` // statements repeated

	Replica    Replica         `json:"replica"`
	Checkpoint CheckpointState `json:"checkpoint"`

	Warnings    []Warning     `json:"warnings"`
	Notes       []string      `json:"notes"`
	Unread      []UnreadRange `json:"unread"`
	UnreadCount int64         `json:"unread_count"`

	Findings         []Finding         `json:"findings"` // at most MaxFindings of them
	FindingsCount    int64             `json:"findings_count"`
	FindingsByKind   map[Kind]int64    `json:"findings_by_kind"`
	WalletsBroken    int64             `json:"wallets_broken"`
	MoneyInDoubt     map[string]string `json:"money_in_doubt"` // decimal by currency; "?" where the wallet is gone
	FindingsOmitted  int64             `json:"findings_omitted"`
	KeysUnknown      []int16           `json:"keys_unknown,omitempty"`
	HashesUnverified int64             `json:"hashes_unverified"`
}

// ExitCode returns the report as a program's exit code, see [Status.ExitCode].
func (r *Report) ExitCode() int { return r.Status.ExitCode() }

// Mode says how far back entries were read.
type Mode string

// The modes.
const (
	ModeWindow Mode = "window"
	ModeAll    Mode = "all"
)

// Replica is the state of the server that was read, as at the end of the run.
type Replica struct {
	InRecovery bool      `json:"in_recovery"` // false: the primary itself
	Connected  bool      `json:"connected"`   // streams from its primary; true for a primary
	Paused     bool      `json:"paused"`      // replay is paused by somebody
	LagMillis  int64     `json:"lag_ms"`      // -1 where it cannot be told
	ReplayLSN  string    `json:"replay_lsn,omitempty"`
	BeatAt     time.Time `json:"beat_at,omitzero"` // the newest heartbeat replayed
	Detail     string    `json:"detail,omitempty"` // why it is not connected
}

// Lag returns how far the replica is behind.
func (r *Replica) Lag() time.Duration { return time.Duration(r.LagMillis) * time.Millisecond }

// CheckpointState is what became of the checkpoint.
type CheckpointState struct {
	Path     string    `json:"path,omitempty"`
	Used     bool      `json:"used"`     // there was one, and wallets were compared with it
	Verified bool      `json:"verified"` // its signature is ours
	Advanced bool      `json:"advanced"` // a new one was written
	LastGood time.Time `json:"last_good,omitzero"`
	Wallets  int64     `json:"wallets"` // as now on disk
}

// WarningCode is the stable name of a warning.
type WarningCode string

// The warnings. Those marked unknown make the report [StatusUnknown].
const (
	WarnLag             WarningCode = "lag"
	WarnPaused          WarningCode = "replay_paused"
	WarnHashes          WarningCode = "hashes_not_verified"
	WarnKey             WarningCode = "key_unknown"
	WarnCheckpointKeys  WarningCode = "checkpoint_not_verified"
	WarnCheckpoint      WarningCode = "checkpoint_unreadable"     // unknown
	WarnCheckpointWrite WarningCode = "checkpoint_not_written"    // the next run compares with the older one
	WarnDisconnected    WarningCode = "replica_disconnected"      // unknown
	WarnBehind          WarningCode = "replica_before_checkpoint" // unknown
	WarnKind            WarningCode = "kind_unknown"
)

// Warning is a reason not to take the report at its word.
type Warning struct {
	Code WarningCode `json:"code"`
	Text string      `json:"text"`
}

// UnreadRange is a part of the wallets, by id, both ends included, that could
// not be read.
type UnreadRange struct {
	From   uuid.UUID `json:"from"`
	To     uuid.UUID `json:"to"`
	Part   string    `json:"part"` // wallets, entries, receipts
	Reason string    `json:"reason"`
}
