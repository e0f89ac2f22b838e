-- The least that can be called a wallet: a balance, an entry a movement, a unique key. No hashes, no
-- triggers, no roles, no receipts. What the scripts beside this file do with it is the machine's limit.
drop schema if exists limits cascade;
create schema limits;

create table limits.wallets (
  id      bigint primary key,
  balance numeric(18,8) not null check (balance >= 0),
  seq     bigint not null default 0
) with (fillfactor = 50);

create table limits.entries (
  id             bigint generated always as identity primary key,
  wallet_id      bigint not null,
  kind           smallint not null,
  external_id    text not null,
  amount         numeric(18,8) not null,
  balance_before numeric(18,8) not null,
  balance_after  numeric(18,8) not null,
  seq            bigint not null,
  created_at     timestamptz not null default now(),
  unique (wallet_id, kind, external_id)
);

insert into limits.wallets (id, balance)
select id, 1000
from generate_series(1, 10000) id;
