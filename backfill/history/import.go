package history

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/walletctl/walletctl/walletcore/pgtx"
	"github.com/walletctl/walletctl/walletcore/record"
)

// Import is one run over one source. The same source, mapping and range are the
// same import, however often it is started.
type Import struct {
	ID     uuid.UUID     `json:"id"`
	Brand  string        `json:"brand"`
	Digest record.Digest `json:"source_sha256"`
	Since  time.Time     `json:"since,omitzero"`
	Until  time.Time     `json:"until,omitzero"`
}

// newImport names the import by all that decides what it writes.
func newImport(o *Options, found *Scanned) (Import, record.Digest, error) {
	declared, err := json.Marshal(o.Mapping)
	if err != nil {
		return Import{}, record.Digest{}, err
	}
	mapping := record.Digest(sha256.Sum256(declared))
	run := Import{Brand: o.Brand, Digest: found.Source.SHA256, Since: o.Since.UTC(), Until: o.Until.UTC()}
	name := fmt.Sprintf("%q %s %s %d %d %t", o.Brand, run.Digest, mapping, o.Since.UnixMicro(), o.Until.UnixMicro(), o.Unkeyed)
	run.ID = uuid.NewSHA1(importNamespace, []byte(name))
	return run, mapping, nil
}

const insertImport = `
insert into gaming.history_imports (id, brand_id, source, digest, mapping, since, until, totals, host)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
on conflict (id) do nothing`

// record keeps the import, the first time it is started.
func (run *Import) record(ctx context.Context, pool *pgxpool.Pool, o *Options, found *Scanned, mapping record.Digest) error {
	kept, err := json.Marshal(found)
	if err != nil {
		return err
	}
	_, err = pool.Exec(ctx, insertImport, run.ID, run.Brand, o.Mapping.Name, run.Digest[:], mapping[:],
		pgtx.OrNull(run.Since), pgtx.OrNull(run.Until), string(kept), o.Host)
	return err
}

const insertEnd = `
insert into gaming.history_ends (import_id, left_out)
values ($1, $2)
on conflict (import_id) do nothing`

// end keeps that the whole source was gone through, and what was left out of it.
func (run *Import) end(ctx context.Context, pool *pgxpool.Pool, left []record.Total) error {
	kept, err := json.Marshal(left)
	if err != nil {
		return err
	}
	_, err = pool.Exec(ctx, insertEnd, run.ID, string(kept))
	return err
}
