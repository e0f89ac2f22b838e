-- +goose Up

-- Why an entry of zero is there: it refunds or reverses what had not come yet
-- (tombstone), or it came after its own tombstone (void).
create type gaming.entry_mark as enum ('tombstone', 'void');
alter table gaming.entries add column mark gaming.entry_mark;

alter table gaming.entries drop constraint entries_effect_check;
alter table gaming.entries add constraint entries_effect_check check (case
  when mark is not null then seq > 0 and real_after = real_before and bonus_after = bonus_before
    and case mark
      when 'tombstone' then kind in ('refund', 'win_reversal', 'withdrawal_reversal')
      else kind in ('bet', 'win', 'withdrawal') end
  when kind = 'opening' then seq = 0 and external_id = 'opening'
    and real_before = 0 and real_after = 0 and bonus_before = 0 and bonus_after = 0
  when seq = 0 then false
  when kind in ('deposit', 'withdrawal_reversal') then real_after > real_before and bonus_after = bonus_before
  when kind = 'withdrawal' then real_after < real_before and bonus_after = bonus_before
  when kind in ('bet', 'win_reversal') then real_after <= real_before and bonus_after <= bonus_before
  when kind in ('win', 'refund') then real_after >= real_before and bonus_after >= bonus_before
  when kind = 'bonus_grant' then real_after = real_before and bonus_after > bonus_before
  when kind = 'bonus_forfeit' then real_after = real_before and bonus_after < bonus_before
  when kind = 'bonus_conversion' then real_after > real_before
    and real_after - real_before = bonus_before - bonus_after
  else false end);

-- A win looks for the bets of its round; most entries of other kinds have none.
create index entries_round on gaming.entries (wallet_id, round_id) where round_id is not null;

-- Who is refused bets and withdrawals. Wins and refunds still come in.
alter table gaming.wallets add column frozen boolean not null default false;
create table gaming.brands (
  brand_id text not null,
  frozen   boolean not null default false,
  constraint brands_pkey primary key (brand_id),
  constraint brands_brand_id_check check (brand_id <> '' and octet_length(brand_id) <= 64)
);

-- Every freeze and unfreeze, with the login that asked and why. Evidence.
create table gaming.freezes (
  id        bigint generated always as identity,
  brand_id  text not null,
  wallet_id uuid, -- null: the whole brand
  frozen    boolean not null,
  reason    text not null,
  actor     text not null default session_user,
  at        timestamptz not null default clock_timestamp(),
  constraint freezes_pkey primary key (id),
  constraint freezes_reason_check check (btrim(reason) <> '' and octet_length(reason) <= 2000)
);
create trigger freezes_append_only before update or delete on gaming.freezes
  for each statement execute function gaming.refuse_change('freezes are append-only');
create trigger freezes_not_truncated before truncate on gaming.freezes
  for each statement execute function gaming.refuse_change('freezes are append-only');
alter table gaming.freezes enable always trigger freezes_append_only;
alter table gaming.freezes enable always trigger freezes_not_truncated;

-- The one way to freeze: it records who asked, which a flag could not.
-- +goose StatementBegin
create function gaming.freeze_wallet(wallet uuid, stop boolean, why text) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  brand text;
begin
  update gaming.wallets set frozen = stop where id = wallet returning brand_id into brand;
  if brand is null then
    raise exception 'there is no wallet %', wallet using errcode = 'P0002';
  end if;
  insert into gaming.freezes (brand_id, wallet_id, frozen, reason) values (brand, wallet, stop, why);
end
$$;
-- +goose StatementEnd

-- +goose StatementBegin
create function gaming.freeze_brand(brand text, stop boolean, why text) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  insert into gaming.brands (brand_id, frozen) values (brand, stop)
  on conflict (brand_id) do update set frozen = excluded.frozen;
  insert into gaming.freezes (brand_id, frozen, reason) values (brand, stop, why);
end
$$;
-- +goose StatementEnd

revoke execute on function gaming.freeze_wallet, gaming.freeze_brand from public;
grant execute on function gaming.freeze_wallet, gaming.freeze_brand to oncall, supervisor;

-- A debt is raised only by the movement that makes it.
create trigger wallets_debt before update on gaming.wallets
  for each row when (new.debt_limit > old.debt_limit and (new.seq = old.seq or new.real <> -new.debt_limit))
  execute function gaming.refuse_change('a debt is raised only by the movement that makes it');
alter table gaming.wallets enable always trigger wallets_debt;

-- What undoes something gives back exactly that, once, and what came after its
-- own tombstone moves nothing: not only in gaming's code. Each look-up is by
-- the whole idempotency key.
-- +goose StatementBegin
create function gaming.check_reversals() returns trigger
language plpgsql as $$
declare
  bad record;
begin
  select a.wallet_id, a.seq, a.kind into bad
  from added a
  where case
    when a.kind = 'refund' and a.mark is null then not coalesce((
      select o.seq < a.seq and o.mark is null
        and o.real_before - o.real_after = a.real_after - a.real_before
          and o.bonus_before - o.bonus_after = a.bonus_after - a.bonus_before
      from gaming.entries o
      where o.wallet_id = a.wallet_id and o.kind = 'bet' and o.external_id = a.external_id), false)
    when a.kind = 'refund' then not coalesce((
      select o.seq > a.seq
      from gaming.entries o
      where o.wallet_id = a.wallet_id and o.kind = 'bet' and o.external_id = a.external_id), true)
    when a.kind = 'win_reversal' and a.mark is null then not coalesce((
      select o.seq < a.seq and o.mark is null
        and o.real_after - o.real_before + o.bonus_after - o.bonus_before
          = a.real_before - a.real_after + a.bonus_before - a.bonus_after
      from gaming.entries o
      where o.wallet_id = a.wallet_id and o.kind = 'win' and o.external_id = a.external_id), false)
    when a.kind = 'win_reversal' then not coalesce((
      select o.seq > a.seq
      from gaming.entries o
      where o.wallet_id = a.wallet_id and o.kind = 'win' and o.external_id = a.external_id), true)
    when a.kind = 'withdrawal_reversal' and a.mark is null then not coalesce((
      select o.seq < a.seq and o.mark is null
        and o.real_before - o.real_after = a.real_after - a.real_before
      from gaming.entries o
      where o.wallet_id = a.wallet_id and o.kind = 'withdrawal' and o.external_id = a.external_id), false)
    when a.kind = 'withdrawal_reversal' then not coalesce((
      select o.seq > a.seq
      from gaming.entries o
      where o.wallet_id = a.wallet_id and o.kind = 'withdrawal' and o.external_id = a.external_id), true)
    when a.kind = 'bet' then (a.mark is not null) <> coalesce((
      select u.seq < a.seq
      from gaming.entries u
      where u.wallet_id = a.wallet_id and u.kind = 'refund' and u.external_id = a.external_id), false)
    when a.kind = 'win' then (a.mark is not null) <> coalesce((
      select u.seq < a.seq
      from gaming.entries u
      where u.wallet_id = a.wallet_id and u.kind = 'win_reversal' and u.external_id = a.external_id), false)
    when a.kind = 'withdrawal' then (a.mark is not null) <> coalesce((
      select u.seq < a.seq
      from gaming.entries u
      where u.wallet_id = a.wallet_id and u.kind = 'withdrawal_reversal' and u.external_id = a.external_id), false)
    else false end
  limit 1;
  if found then
    raise exception 'entry % of wallet % (%) does not fit what it undoes, or what undid it before it came',
      bad.seq, bad.wallet_id, bad.kind
      using errcode = 'WL001', hint = 'Post movements through the ledger only.';
  end if;
  return null;
end
$$;
-- +goose StatementEnd
create trigger entries_reversals after insert on gaming.entries
  referencing new table as added for each statement execute function gaming.check_reversals();
alter table gaming.entries enable always trigger entries_reversals;

-- What is unique over all wallets has its receipt.
-- +goose StatementBegin
create or replace function gaming.check_entries() returns trigger
language plpgsql as $$
declare
  bad record;
begin
  select a.wallet_id, a.seq, a.kind into bad
  from added a
  where not coalesce((
      select w.seq >= a.seq
      from gaming.wallets w
      where w.id = a.wallet_id), false)
    or (a.seq > 0 and not coalesce((
      select p.real_after = a.real_before and p.bonus_after = a.bonus_before
      from gaming.entries p
      where p.wallet_id = a.wallet_id and p.seq = a.seq - 1), false))
    or (a.kind in ('deposit', 'withdrawal', 'withdrawal_reversal') and not coalesce((
      select r.wallet_id = a.wallet_id and r.seq = a.seq
      from gaming.receipts r
      where r.kind = a.kind and r.external_id = a.external_id), false))
  limit 1;
  if found then
    raise exception 'entry % of wallet % (%) does not continue the chain, or lacks its balance or its receipt',
      bad.seq, bad.wallet_id, bad.kind
      using errcode = 'WL001', hint = 'Post movements through the ledger only.';
  end if;
  return null;
end
$$;
-- +goose StatementEnd

grant update (debt_limit) on gaming.wallets to gaming;
grant select on gaming.brands to gaming, worker, auditor, backfill, oncall, support, supervisor;
grant select on gaming.freezes to worker, auditor, oncall, support, supervisor;
