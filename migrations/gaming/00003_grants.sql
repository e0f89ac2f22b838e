-- +goose Up

-- gaming is the only writer. What it may not do to the ledger, no bug in it can.
grant usage on schema gaming to gaming, worker, auditor, backfill, oncall, support, supervisor;
grant select, insert on gaming.wallets, gaming.entries, gaming.receipts to gaming;
-- A balance and its place in the chain move; whose wallet it is does not.
grant update (real, bonus, seq, head) on gaming.wallets to gaming;
grant select, update (beat_at) on gaming.heartbeat to gaming;
grant select on gaming.schema_version to gaming, worker, auditor;

grant select on gaming.wallets, gaming.entries, gaming.receipts, gaming.heartbeat
  to worker, auditor, backfill, oncall, support, supervisor;
