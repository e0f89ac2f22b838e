-- +goose NO TRANSACTION
-- +goose Up

-- Producers that may still send bets and wins without an id, each until its
-- deadline. gaming writes down what its providers.yaml says when it starts; what
-- decides is that file. After the deadline the calls that are refused are
-- counted here, since they leave nothing else.
create table if not exists gaming.unkeyed_producers (
  brand_id          text not null,
  provider          text not null,
  until             timestamptz not null,
  message_id_header text not null,
  listed_at         timestamptz not null default clock_timestamp(),
  refused           bigint not null default 0,
  refused_at        timestamptz,
  constraint unkeyed_producers_pkey primary key (brand_id, provider),
  constraint unkeyed_producers_refused_check check (refused >= 0)
);
grant select, insert, update, delete on gaming.unkeyed_producers to gaming;
grant select on gaming.unkeyed_producers to backfill, worker, auditor, oncall, support, supervisor;

-- What such producers moved is counted from the entries themselves: exact by
-- construction, and no row that all their movements would wait for. The index
-- holds their entries alone; every other movement pays for one comparison.
drop index concurrently if exists gaming.entries_unkeyed;
create index concurrently entries_unkeyed on gaming.entries (recorded_at)
  include (wallet_id, seq, actor, kind, external_id)
  where external_id like '%:unkeyed:%';
