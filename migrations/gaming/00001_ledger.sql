-- +goose Up

-- What a movement can be. Later kinds are added, none is ever renamed: the
-- name is part of what an entry's hash covers.
create type gaming.movement_kind as enum ('opening', 'deposit');

-- A player's balances in one brand and currency, and where its chain stands.
-- The id derives from (brand_id, user_id, currency) (UUID version 5), so the
-- primary key keeps the triple unique and no second index is needed. Room is
-- kept on every page: a balance changes with each movement, and an update that
-- finds room beside the old row touches no index (HOT).
create table gaming.wallets (
  id         uuid not null,
  seq        bigint not null,
  real       numeric(18,8) not null,
  bonus      numeric(18,8) not null,
  debt_limit numeric(18,8) not null default 0,
  brand_id   text not null,
  user_id    text not null,
  currency   text not null,
  head       bytea not null,
  constraint wallets_pkey primary key (id),
  -- NaN is greater than every number, so a lower bound alone lets it in.
  constraint wallets_real_check check (real >= -debt_limit and real <> 'NaN'),
  constraint wallets_bonus_check check (bonus >= 0 and bonus <> 'NaN'),
  constraint wallets_debt_limit_check check (debt_limit >= 0 and debt_limit <> 'NaN'),
  constraint wallets_key_check check (brand_id <> '' and user_id <> '' and currency ~ '^[A-Z][A-Z0-9]{2,9}$'),
  constraint wallets_head_check check (octet_length(head) = 32)
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);

-- One row a movement, for ever. Fixed-width columns come first: no byte is lost
-- to alignment.
create table gaming.entries (
  wallet_id    uuid not null,
  seq          bigint not null,
  occurred_at  timestamptz not null,
  recorded_at  timestamptz not null,
  kind         gaming.movement_kind not null,
  key_id       smallint not null,
  real_before  numeric(18,8) not null,
  real_after   numeric(18,8) not null,
  bonus_before numeric(18,8) not null,
  bonus_after  numeric(18,8) not null,
  external_id  text collate "C" not null,
  hash         bytea not null,
  actor        text not null,
  reference    text,
  round_id     text,
  details      json,
  constraint entries_pkey primary key (wallet_id, seq),
  -- The idempotency key. It has no expiry: the ledger is the memory.
  constraint entries_idempotency_key unique (wallet_id, kind, external_id),
  constraint entries_seq_check check (seq >= 0),
  -- Blank ids would make every movement without an id a duplicate of the
  -- first; control characters cannot be shown or sent on faithfully.
  constraint entries_external_id_check check (
    external_id <> '' and octet_length(external_id) <= 320
    and external_id = btrim(external_id) and external_id !~ '[\x01-\x1f\x7f]'),
  constraint entries_actor_check check (actor <> ''),
  constraint entries_hash_check check (octet_length(hash) = 32 and key_id > 0),
  constraint entries_nan_check check (real_after <> 'NaN' and bonus_after <> 'NaN'),
  -- Each kind's direction. A kind without a line here cannot be written.
  constraint entries_effect_check check (case kind
    when 'opening' then seq = 0 and external_id = 'opening'
      and real_before = 0 and real_after = 0 and bonus_before = 0 and bonus_after = 0
    when 'deposit' then seq > 0 and real_after > real_before and bonus_after = bonus_before
    else false end)
) with (autovacuum_vacuum_insert_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.02);

-- Say that a wallet has very many entries, whatever a sample finds: while most
-- wallets have one, an index on (wallet_id, ...) looks as good as the whole key,
-- and a busy wallet would be read from end to end for each of its movements.
alter table gaming.entries alter column wallet_id set (n_distinct = -0.0001);

-- Selects a window of time for the chain check: entries come in in the order
-- of recorded_at, nearly, so a few kilobytes do the work of an index.
create index entries_recorded_at on gaming.entries using brin (recorded_at) with (pages_per_range = 32, autosummarize = on);

-- What must be unique over *all* wallets. A deposit resent for another player
-- finds here whose it was.
create table gaming.receipts (
  wallet_id   uuid not null,
  seq         bigint not null,
  kind        gaming.movement_kind not null,
  external_id text collate "C" not null,
  constraint receipts_pkey primary key (kind, external_id)
);

-- One row that gaming touches every few seconds: how old it is on a replica
-- tells how far the replica has come.
create table gaming.heartbeat (
  only_row boolean not null default true,
  beat_at  timestamptz not null,
  constraint heartbeat_pkey primary key (only_row),
  constraint heartbeat_only_row_check check (only_row)
);
insert into gaming.heartbeat (beat_at) values (clock_timestamp());
