-- +goose Up

-- Older history comes in at negative seqs, below the entry that opened the
-- wallet, and today's balance does not move. It may come in parts, the newest
-- first: each ends exactly where the part above it, or seq 0, begins.

-- One run of backfill over one source. Started again it is the same one.
create table gaming.history_imports (
  id         uuid not null, -- UUID version 5 of everything that decides what is written
  brand_id   text not null,
  source     text not null, -- what the operator called it, and its files
  digest     bytea not null, -- SHA-256 of the source as stored
  mapping    bytea not null, -- SHA-256 of the mapping
  since      timestamptz, -- only movements from here on
  until      timestamptz, -- only movements before this
  totals     json not null, -- rows and sums a kind and currency, as the source has them
  started_at timestamptz not null default clock_timestamp(),
  started_by text not null default session_user,
  host       text not null,
  constraint history_imports_pkey primary key (id),
  constraint history_imports_digest_check check (octet_length(digest) = 32 and octet_length(mapping) = 32),
  constraint history_imports_range_check check (since < until)
);

-- That a run came to the end of its source: every wallet of it is in, or
-- refused.
create table gaming.history_ends (
  import_id uuid not null,
  left_out  json not null, -- rows and sums of what was there before in every field
  ended_at  timestamptz not null default clock_timestamp(),
  constraint history_ends_pkey primary key (import_id),
  constraint history_ends_import_id_fkey foreign key (import_id) references gaming.history_imports (id)
);

-- A wallet's part of an import, written with its entries: also the checkpoint
-- that a run which was killed goes on from.
create table gaming.history_parts (
  wallet_id   uuid not null,
  first_seq   bigint not null,
  last_seq    bigint not null,
  import_id   uuid not null,
  external_id text collate "C" not null, -- of the seal on the live chain
  rows        bigint not null,
  real        numeric(18,8) not null, -- the sum of its movements
  bonus       numeric(18,8) not null,
  since       timestamptz not null, -- of its earliest movement
  until       timestamptz not null, -- of its latest
  whole       boolean not null, -- it begins with the wallet's first movement, at zero
  head        bytea not null, -- the hash of its last entry; a part's chain begins anew
  written_at  timestamptz not null default clock_timestamp(),
  constraint history_parts_pkey primary key (wallet_id, last_seq),
  constraint history_parts_import unique (import_id, wallet_id),
  constraint history_parts_import_id_fkey foreign key (import_id) references gaming.history_imports (id),
  constraint history_parts_seq_check check (first_seq <= last_seq and last_seq < 0 and rows = last_seq - first_seq + 1),
  constraint history_parts_head_check check (octet_length(head) = 32),
  constraint history_parts_external_id_check check (external_id = format('history:%s', -last_seq))
);

-- Wallets whose history was refused as a whole. Once it fits, the part is there
-- and counts.
create table gaming.history_refusals (
  import_id  uuid not null,
  wallet_id  uuid not null,
  reason     text not null, -- a word
  detail     text not null, -- file, line, and what does not fit
  real       numeric(28,8) not null, -- by how much it does not close
  bonus      numeric(28,8) not null,
  refused_at timestamptz not null default clock_timestamp(),
  constraint history_refusals_pkey primary key (import_id, wallet_id),
  constraint history_refusals_import_id_fkey foreign key (import_id) references gaming.history_imports (id)
);

-- A part says what its entries are: each leads to the next, so its two ends
-- tell their number and their sum.
-- +goose StatementBegin
create function gaming.check_history_parts() returns trigger
language plpgsql as $$
declare
  bad record;
begin
  select a.wallet_id, a.last_seq into bad
  from added a
  left join lateral (
    select real_before, bonus_before
    from gaming.entries
    where wallet_id = a.wallet_id and seq = a.first_seq
    limit 1) f on true
  left join lateral (
    select real_after, bonus_after, hash
    from gaming.entries
    where wallet_id = a.wallet_id and seq = a.last_seq
    limit 1) l on true
  where not coalesce(l.hash = a.head and l.real_after - f.real_before = a.real and l.bonus_after - f.bonus_before = a.bonus
      and (not a.whole or (f.real_before = 0 and f.bonus_before = 0)), false)
    or exists (
      select from gaming.entries
      where wallet_id = a.wallet_id and seq < a.first_seq)
    or a.last_seq <> coalesce((
      select h.first_seq - 1
      from gaming.history_parts h
      where h.wallet_id = a.wallet_id and h.last_seq > a.last_seq
      order by h.last_seq
      limit 1), -1)
  limit 1;
  if found then
    raise exception 'the history of wallet % up to % is not what its part says', bad.wallet_id, bad.last_seq
      using errcode = 'WL001', hint = 'Bring history in with walletctl backfill run.';
  end if;
  return null;
end
$$;
-- +goose StatementEnd
create trigger history_parts_closed after insert on gaming.history_parts
  referencing new table as added for each statement execute function gaming.check_history_parts();
create trigger history_parts_append_only before update or delete on gaming.history_parts
  for each statement execute function gaming.refuse_change('what was brought in stays');
create trigger history_parts_not_truncated before truncate on gaming.history_parts
  for each statement execute function gaming.refuse_change('what was brought in stays');
create trigger history_imports_append_only before update or delete on gaming.history_imports
  for each statement execute function gaming.refuse_change('what was brought in stays');
create trigger history_imports_not_truncated before truncate on gaming.history_imports
  for each statement execute function gaming.refuse_change('what was brought in stays');
alter table gaming.history_parts enable always trigger history_parts_closed;
alter table gaming.history_parts enable always trigger history_parts_append_only;
alter table gaming.history_parts enable always trigger history_parts_not_truncated;
alter table gaming.history_imports enable always trigger history_imports_append_only;
alter table gaming.history_imports enable always trigger history_imports_not_truncated;

-- The wallet of a seal stands where it stood, one entry further.
grant insert on gaming.wallets, gaming.entries, gaming.receipts to backfill;
grant update (seq, head) on gaming.wallets to backfill;
grant select on gaming.schema_version to backfill;
grant select, insert on gaming.history_imports, gaming.history_ends, gaming.history_parts to backfill;
grant select, insert, update, delete on gaming.history_refusals to backfill;
grant select on gaming.history_imports, gaming.history_ends, gaming.history_parts, gaming.history_refusals
  to gaming, worker, auditor, oncall, support, supervisor;

-- The rules of entries, with lines for what was before the ledger.
-- +goose StatementBegin
create or replace function gaming.check_entries() returns trigger
language plpgsql as $$
declare
  bad record;
begin
  select wallet_id, seq, kind, broken into bad
  from (
    select a.wallet_id, a.seq, a.kind, case
      -- Blank ids would make every movement without an id a duplicate of the
      -- first; control characters cannot be shown or sent on faithfully. NaN
      -- is greater than every number, so a lower bound alone lets it in.
      when a.external_id !~ '^[^\x01-\x20\x7f]([^\x01-\x1f\x7f]*[^\x01-\x20\x7f])?$' or octet_length(a.external_id) > 320
        or a.actor = '' or octet_length(a.hash) <> 32 or a.key_id <= 0
        or a.real_after = 'NaN' or a.bonus_after = 'NaN'
        then 'holds what no entry can hold'
      -- Each kind's direction. A kind without a line here cannot be written.
      when not case
        when a.mark in ('tombstone', 'void') then a.seq > 0 and a.real_after = a.real_before and a.bonus_after = a.bonus_before
          and case a.mark
            when 'tombstone' then a.kind in ('refund', 'win_reversal', 'withdrawal_reversal')
            else a.kind in ('bet', 'win', 'withdrawal') end
        when a.mark is not null and a.seq >= 0 then false
        when a.kind = 'opening' then a.seq = 0 and a.external_id = 'opening'
          and a.real_before = 0 and a.real_after = 0 and a.bonus_before = 0 and a.bonus_after = 0
        when a.kind = 'brought_forward' then a.seq = 0 and a.external_id = 'brought_forward'
          and a.real_before = a.real_after and a.bonus_before = a.bonus_after
          and pg_has_role(session_user, 'backfill', 'member')
        when a.kind = 'history_seal' then a.seq > 0
          and a.real_before = a.real_after and a.bonus_before = a.bonus_after
          and exists (
            select from gaming.history_parts h
            where h.wallet_id = a.wallet_id and h.external_id = a.external_id)
        when a.seq = 0 or (a.seq < 0 and not pg_has_role(session_user, 'backfill', 'member')) then false
        when a.kind in ('deposit', 'withdrawal_reversal') then a.real_after > a.real_before and a.bonus_after = a.bonus_before
        when a.kind = 'withdrawal' then a.real_after < a.real_before and a.bonus_after = a.bonus_before
        when a.kind in ('bet', 'win_reversal') then a.real_after <= a.real_before and a.bonus_after <= a.bonus_before
        when a.kind in ('win', 'refund') then a.real_after >= a.real_before and a.bonus_after >= a.bonus_before
        when a.kind = 'bonus_grant' then a.real_after = a.real_before and a.bonus_after > a.bonus_before
        when a.kind = 'bonus_forfeit' then a.real_after = a.real_before and a.bonus_after < a.bonus_before
        when a.kind = 'bonus_conversion' then a.real_after > a.real_before
          and a.real_after - a.real_before = a.bonus_before - a.bonus_after
        when a.kind = 'adjustment' and a.seq < 0 then a.real_after <> a.real_before or a.bonus_after <> a.bonus_before
        when a.kind = 'adjustment' then
          gaming.is_adjustment(a.wallet_id, a.external_id, a.actor, a.real_before, a.real_after, a.bonus_before, a.bonus_after)
        else false end
        then 'does what its kind never does'
      when not coalesce((
        select w.seq >= a.seq
        from gaming.wallets w
        where w.id = a.wallet_id), false)
        then 'lacks its balance'
      when a.seq > 0 and not coalesce((
        select p.real_after = a.real_before and p.bonus_after = a.bonus_before
        from gaming.entries p
        where p.wallet_id = a.wallet_id and p.seq = a.seq - 1), false)
        then 'does not continue the chain'
      -- History is written whole, or below what is there: each row has its
      -- successor, up to seq 0.
      when a.seq < 0 and not coalesce((
        select n.real_before = a.real_after and n.bonus_before = a.bonus_after
        from gaming.entries n
        where n.wallet_id = a.wallet_id and n.seq = a.seq + 1), false)
        then 'does not lead to the chain'
      when a.kind in ('deposit', 'withdrawal', 'withdrawal_reversal') and not coalesce((
        select r.wallet_id = a.wallet_id and r.seq = a.seq
        from gaming.receipts r
        where r.kind = a.kind and r.external_id = a.external_id), false)
        then 'lacks its receipt'
      when a.seq < 0 then null -- evidence, however it came about
      -- What undoes something gives back exactly that, once, and what came after
      -- its own tombstone moves nothing: not only in gaming's code.
      when a.kind in ('refund', 'win_reversal', 'withdrawal_reversal') and a.mark is not null
        and not coalesce(o.seq > a.seq, true)
        then 'is a tombstone of what is there'
      when a.kind in ('refund', 'win_reversal', 'withdrawal_reversal') and a.mark is null
        and not coalesce(o.seq < a.seq and o.mark is null
          and case a.kind
            when 'win_reversal' then o.real_after - o.real_before + o.bonus_after - o.bonus_before
              = a.real_before - a.real_after + a.bonus_before - a.bonus_after
            else o.real_before - o.real_after = a.real_after - a.real_before
              and o.bonus_before - o.bonus_after = a.bonus_after - a.bonus_before end, false)
        then 'does not fit what it undoes'
      when a.kind in ('bet', 'win', 'withdrawal') and (a.mark is not null) <> coalesce(o.seq < a.seq, false)
        then 'does not fit what undid it before it came'
      end as broken
    from added a
    -- By the whole idempotency key; with its limit it can only be looked up.
    left join lateral (
      select seq, mark, real_before, real_after, bonus_before, bonus_after
      from gaming.entries
      where a.seq > 0 and wallet_id = a.wallet_id and external_id = a.external_id
        and kind = case a.kind
          when 'refund' then 'bet'
          when 'win_reversal' then 'win'
          when 'withdrawal_reversal' then 'withdrawal'
          when 'bet' then 'refund'
          when 'win' then 'win_reversal'
          when 'withdrawal' then 'withdrawal_reversal'
          end::gaming.movement_kind
      limit 1) o on true
    offset 0) checked -- a fence: the rules are evaluated once
  where broken is not null
  limit 1;
  if found then
    raise exception 'entry % of wallet % (%) %', bad.seq, bad.wallet_id, bad.kind, bad.broken
      using errcode = 'WL001', hint = 'Post movements through the ledger only.';
  end if;
  return null;
end
$$;
-- +goose StatementEnd
