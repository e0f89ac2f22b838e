-- +goose Up

-- A brand comes in once: closed, then perhaps importing, while the balances of
-- its players are brought in from elsewhere, then live. It never goes back, so
-- whoever read that a brand is live needs no lock to rely on it. A brand that
-- nobody named is closed: no movement can come before its import.
--
-- Postings lock wallets and then read brands: this waits for them first, or the
-- two would wait for each other.
lock table gaming.wallets in exclusive mode;
create type gaming.brand_state as enum ('closed', 'importing', 'live');
alter table gaming.brands add column state gaming.brand_state not null default 'closed';

-- Every step of a brand, with the login that took it, and the totals that were
-- compared. Evidence, and the only way to take a step.
create table gaming.brand_changes (
  id       bigint generated always as identity,
  brand_id text not null,
  was      gaming.brand_state not null,
  state    gaming.brand_state not null,
  at       timestamptz not null,
  actor    text not null,
  host     text not null default '',
  client   text not null default '',
  note     text not null default '',
  totals   jsonb, -- of going live: what is inside, a line a currency
  constraint brand_changes_pkey primary key (id),
  constraint brand_changes_text_check check (octet_length(note) <= 2000 and octet_length(host) <= 700 and octet_length(client) <= 700),
  constraint brand_changes_totals_check check (jsonb_typeof(totals) = 'array')
);
create index brand_changes_brand on gaming.brand_changes (brand_id, id);
create trigger brand_changes_append_only before update or delete or truncate on gaming.brand_changes
  for each statement execute function gaming.refuse_change('brand_changes are append-only');

-- Whose step it is and where it leads from is not for the writer to say.
-- +goose StatementBegin
create function gaming.check_brand_change() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  insert into gaming.brands (brand_id) values (new.brand_id) on conflict do nothing;
  -- Whoever brings wallets in holds a share of the row; this waits for them.
  select b.state into new.was from gaming.brands b where b.brand_id = new.brand_id for update;
  if new.state <= new.was then
    raise exception 'brand % is % and cannot become %', new.brand_id, new.was, new.state
      using errcode = 'WB001', hint = 'A brand goes from closed to importing to live, and never back.';
  end if;
  new.actor := session_user;
  new.at := clock_timestamp();
  return new;
end
$$;
-- +goose StatementEnd

-- +goose StatementBegin
create function gaming.apply_brand_change() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  update gaming.brands set state = new.state where brand_id = new.brand_id;
  return null;
end
$$;
-- +goose StatementEnd

-- No state without its step: not by hand, and not by the owner.
-- +goose StatementBegin
create function gaming.check_brand() returns trigger
language plpgsql as $$
declare
  stepped gaming.brand_state;
begin
  if tg_op = 'INSERT' then
    stepped := 'closed'; -- every brand begins so
  elsif new.brand_id <> old.brand_id or new.state < old.state then
    raise exception 'brand % keeps its name, and never goes back', old.brand_id using errcode = 'WL002';
  elsif new.state = old.state then
    return new;
  else
    select c.state into stepped
    from gaming.brand_changes c
    where c.brand_id = new.brand_id
    order by c.id desc
    limit 1;
  end if;
  if new.state is distinct from stepped then
    raise exception 'brand % is % only by a recorded step', new.brand_id, new.state
      using errcode = 'WL002', hint = 'Open brands with walletctl backfill open.';
  end if;
  return new;
end
$$;
-- +goose StatementEnd
create trigger brand_changes_checked before insert on gaming.brand_changes
  for each row execute function gaming.check_brand_change();
create trigger brand_changes_applied after insert on gaming.brand_changes
  for each row execute function gaming.apply_brand_change();
create trigger brands_forward before insert or update on gaming.brands
  for each row execute function gaming.check_brand();
create trigger brands_kept before delete or truncate on gaming.brands
  for each statement execute function gaming.refuse_change('brands are never deleted');
alter table gaming.brand_changes enable always trigger brand_changes_append_only;
alter table gaming.brand_changes enable always trigger brand_changes_checked;
alter table gaming.brand_changes enable always trigger brand_changes_applied;
alter table gaming.brands enable always trigger brands_forward;
alter table gaming.brands enable always trigger brands_kept;

-- Holds a brand as it is until the end of the transaction, and says what it is:
-- shared by those who bring wallets in, alone by who takes it live.
-- +goose StatementBegin
create function gaming.hold_brand(brand text, alone boolean) returns gaming.brand_state
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  found gaming.brand_state;
begin
  if alone then
    insert into gaming.brands (brand_id) values (brand) on conflict do nothing;
    select b.state into found from gaming.brands b where b.brand_id = brand for update;
  else
    select b.state into found from gaming.brands b where b.brand_id = brand for share;
  end if;
  return coalesce(found, 'closed');
end
$$;
-- +goose StatementEnd

-- The one way to take a step.
-- +goose StatementBegin
create function gaming.move_brand(brand text, next gaming.brand_state, why text, sums jsonb, from_host text, from_client text)
returns void
language sql security definer set search_path = pg_catalog, pg_temp as $$
  -- The triggers fill in the rest, and move the brand.
  insert into gaming.brand_changes (brand_id, was, state, at, actor, host, client, note, totals)
  values (brand, 'closed', next, clock_timestamp(), session_user, from_host, from_client, coalesce(why, ''), sums)
$$;
-- +goose StatementEnd

-- Every brand that has wallets is at work.
insert into gaming.brand_changes (brand_id, was, state, at, actor, note)
select brand_id, 'closed', 'live', clock_timestamp(), session_user, 'was at work before brands had states'
from (select distinct brand_id from gaming.wallets) b
order by brand_id;

-- A wallet is born of a live brand, or brought into one that is importing; the
-- share that this takes makes going live wait until it is committed.
-- +goose StatementBegin
create function gaming.check_births() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  bad record;
begin
  perform from gaming.brands b
  where b.state = 'importing' and b.brand_id in (select born.brand_id from born)
  for share;
  select w.id, w.brand_id, b.state into bad
  from born w
  left join gaming.brands b on b.brand_id = w.brand_id
  where b.state is distinct from (case (
    select e.kind
    from gaming.entries e
    where e.wallet_id = w.id and e.seq = w.seq) when 'brought_forward' then 'importing' else 'live' end)::gaming.brand_state
  limit 1;
  if found then
    raise exception 'wallet % cannot come in: brand % is %', bad.id, bad.brand_id, coalesce(bad.state, 'closed')
      using errcode = 'WB002', hint = 'Wallets are brought in while their brand is importing, and born once it is live.';
  end if;
  return null;
end
$$;
-- +goose StatementEnd
create trigger wallets_born after insert on gaming.wallets
  referencing new table as born for each statement execute function gaming.check_births();
alter table gaming.wallets enable always trigger wallets_born;

-- No movement of a brand that is not live; what was brought in may be sealed.
-- An entry above 0 needs its wallet to come there, and that is an update, so
-- this look-up beside the one of the last entry covers entries as well.
-- +goose StatementBegin
create or replace function gaming.check_wallets() returns trigger
language plpgsql as $$
declare
  bad record;
begin
  select c.id, c.seq, c.brand_id into bad
  from changed c
  where not coalesce((
      select e.real_after = c.real and e.bonus_after = c.bonus and e.hash = c.head
        and (c.seq = 0
          or exists (
            select
            from gaming.brands b
            where b.brand_id = c.brand_id and b.state = 'live')
          or not exists (
            select
            from gaming.entries above
            where above.wallet_id = c.id and above.seq > 0 and above.kind <> 'history_seal'))
      from gaming.entries e
      where e.wallet_id = c.id and e.seq = c.seq), false)
    or c.real < -c.debt_limit or c.real = 'NaN' or c.bonus < 0 or c.bonus = 'NaN'
    or c.debt_limit < 0 or c.debt_limit = 'NaN'
  limit 1;
  if not found then
    return null;
  elsif bad.seq > 0 and not exists (select from gaming.brands b where b.brand_id = bad.brand_id and b.state = 'live') then
    raise exception 'wallet % cannot move: brand % is not live', bad.id, bad.brand_id
      using errcode = 'WB002', hint = 'Take the brand live with walletctl backfill open.';
  end if;
  raise exception 'wallet % at seq % does not stand where its last entry says, or stands below zero', bad.id, bad.seq
    using errcode = 'WL001', hint = 'Post movements through the ledger only.';
end
$$;
-- +goose StatementEnd

revoke execute on function gaming.check_brand_change, gaming.apply_brand_change, gaming.check_brand, gaming.check_births,
  gaming.hold_brand, gaming.move_brand from public;
grant execute on function gaming.hold_brand, gaming.move_brand to backfill;
-- Whoever inserts entries needs it, whatever their kind: a right is looked at
-- before it is needed.
grant execute on function gaming.is_adjustment to backfill;
grant select on gaming.brand_changes to gaming, worker, auditor, backfill, oncall, support, supervisor;
