-- +goose Up

-- Why employees correct balances. The operator adds and retires codes.
create table gaming.adjustment_reasons (
  code   text not null,
  meaning text not null,
  active boolean not null default true,
  constraint adjustment_reasons_pkey primary key (code),
  constraint adjustment_reasons_code_check check (code ~ '^[a-z][a-z0-9_]{1,39}$' and btrim(meaning) <> '')
);
insert into gaming.adjustment_reasons (code, meaning) values
  ('missed_credit', 'money came in and was not credited'),
  ('double_credit', 'money was credited twice'),
  ('wrong_amount', 'another amount was credited or taken than should have been'),
  ('chargeback', 'the gateway took a deposit back'),
  ('failed_payout', 'a payout failed after it was reported paid'),
  ('game_fault', 'a game or its provider settled a round wrongly'),
  ('goodwill', 'a courtesy to the player'),
  ('bonus_correction', 'a bonus was granted, kept or converted wrongly');

-- What a role or a person may ask for and approve alone, in units of the
-- currency; '*' stands for every currency without a line of its own. Above it a
-- second approver is needed. A person's line goes before the role's.
create table gaming.adjustment_limits (
  grantee        text not null, -- support, supervisor, or a login
  act            text not null,
  currency       text not null,
  per_adjustment numeric(18,8) not null,
  per_day        numeric(18,8) not null,
  may_debt       boolean not null default false,
  changed_by     text not null default session_user,
  changed_at     timestamptz not null default clock_timestamp(),
  constraint adjustment_limits_pkey primary key (grantee, act, currency),
  constraint adjustment_limits_act_check check (act in ('request', 'approve')),
  constraint adjustment_limits_amount_check check (per_adjustment >= 0 and per_day >= 0
    and per_adjustment <> 'NaN' and per_day <> 'NaN')
);
insert into gaming.adjustment_limits (grantee, act, currency, per_adjustment, per_day, may_debt) values
  ('support', 'request', '*', 200, 1000, false),
  ('supervisor', 'request', '*', 1000, 5000, true),
  ('supervisor', 'approve', '*', 1000, 5000, true);

-- What was asked for, for ever as it was asked.
create table gaming.adjustments (
  id           text collate "C" not null,
  wallet_id    uuid not null,
  brand_id     text not null,
  user_id      text not null,
  currency     text not null,
  real         numeric(18,8) not null, -- signed
  bonus        numeric(18,8) not null, -- signed
  reason       text not null,
  ticket       text not null,
  note         text not null,
  corrects_seq bigint, -- the entry of the wallet that it corrects
  case_ref     text,   -- the case that it answers
  allow_debt   boolean not null,
  needs_two    boolean not null, -- it is above its requester's limits
  requested_by text not null default session_user,
  requested_at timestamptz not null default clock_timestamp(),
  expires_at   timestamptz not null,
  constraint adjustments_pkey primary key (id),
  constraint adjustments_reason_fkey foreign key (reason) references gaming.adjustment_reasons (code),
  constraint adjustments_amount_check check (
    (real = 0) <> (bonus = 0) and real <> 'NaN' and bonus <> 'NaN' and (bonus = 0 or not allow_debt)),
  constraint adjustments_text_check check (
    btrim(ticket) <> '' and octet_length(ticket) <= 255 and octet_length(note) <= 2000 and octet_length(case_ref) <= 64
    and ticket !~ '[\x01-\x1f\x7f]'),
  constraint adjustments_expiry_check check (expires_at > requested_at)
);
create index adjustments_requested on gaming.adjustments (requested_at, id);
create index adjustments_wallet on gaming.adjustments (wallet_id, requested_at);

create type gaming.adjustment_step as enum ('requested', 'approved', 'rejected', 'cancelled', 'refused');

-- Every step of every adjustment, with who took it, from where and with what.
-- What state an adjustment is in follows from here and from the ledger; there is
-- no other place to change.
create table gaming.adjustment_steps (
  id            bigint generated always as identity,
  adjustment_id text collate "C" not null,
  at            timestamptz not null default clock_timestamp(),
  actor         text not null default session_user,
  step          gaming.adjustment_step not null,
  alone         boolean not null default false, -- an approval within the approver's own limits
  note          text,
  host          text,
  client        text,
  constraint adjustment_steps_pkey primary key (id),
  constraint adjustment_steps_adjustment_id_fkey foreign key (adjustment_id) references gaming.adjustments (id),
  constraint adjustment_steps_text_check check (
    octet_length(note) <= 2000 and octet_length(host) <= 255 and octet_length(client) <= 255)
);
create index adjustment_steps_adjustment on gaming.adjustment_steps (adjustment_id, id);
-- Nobody approves twice, and there is one end.
create unique index adjustment_steps_approver on gaming.adjustment_steps (adjustment_id, actor) where step = 'approved';
create unique index adjustment_steps_end on gaming.adjustment_steps (adjustment_id)
  where step in ('rejected', 'cancelled', 'refused');
create index adjustment_steps_day on gaming.adjustment_steps (actor, at) where step = 'approved';

create trigger adjustments_append_only before update or delete or truncate on gaming.adjustments
  for each statement execute function gaming.refuse_change('adjustments are append-only');
create trigger adjustment_steps_append_only before update or delete or truncate on gaming.adjustment_steps
  for each statement execute function gaming.refuse_change('adjustments are append-only');
alter table gaming.adjustments enable always trigger adjustments_append_only;
alter table gaming.adjustment_steps enable always trigger adjustment_steps_append_only;

-- Four eyes, also against raw SQL of the tables' owner: whoever approves is not
-- who asked, and nothing is added behind an end.
-- +goose StatementBegin
create function gaming.check_step() returns trigger
language plpgsql as $$
declare
  asked gaming.adjustments;
begin
  select * into asked from gaming.adjustments where id = new.adjustment_id;
  if new.step = 'approved' and new.actor = asked.requested_by then
    raise exception 'adjustment % was requested by %, who cannot approve it', asked.id, new.actor using errcode = 'WA001';
  elsif new.step = 'cancelled' and new.actor <> asked.requested_by then
    raise exception 'adjustment % was requested by %, who alone can cancel it', asked.id, asked.requested_by using errcode = 'WA001';
  elsif new.step <> 'requested' and exists (
    select from gaming.adjustment_steps s
    where s.adjustment_id = new.adjustment_id and s.id < new.id and s.step in ('rejected', 'cancelled', 'refused'))
  then
    raise exception 'adjustment % has come to its end', asked.id using errcode = 'WA002';
  elsif new.step in ('rejected', 'cancelled', 'refused') and exists (
    select from gaming.entries e
    where e.wallet_id = asked.wallet_id and e.kind = 'adjustment' and e.external_id = asked.id)
  then
    raise exception 'adjustment % is posted', asked.id using errcode = 'WA002';
  end if;
  return new;
end
$$;
-- +goose StatementEnd
create trigger adjustment_steps_checked before insert on gaming.adjustment_steps
  for each row execute function gaming.check_step();
alter table gaming.adjustment_steps enable always trigger adjustment_steps_checked;

-- approved: by one within their own limits where one is enough, or by two.
-- +goose StatementBegin
create function gaming.is_approved(adjustment text) returns boolean
language sql stable set search_path = pg_catalog, pg_temp as $$
  select count(*) >= 2 or (count(*) = 1 and bool_and(s.alone) and not bool_or(a.needs_two))
  from gaming.adjustment_steps s
  join gaming.adjustments a on a.id = s.adjustment_id
  where s.adjustment_id = adjustment and s.step = 'approved'
$$;
-- +goose StatementEnd

-- +goose StatementBegin
create function gaming.state_of(asked gaming.adjustments) returns text
language sql stable set search_path = pg_catalog, pg_temp as $$
  select case
    when exists (
      select from gaming.entries e
      where e.wallet_id = asked.wallet_id and e.kind = 'adjustment' and e.external_id = asked.id) then 'posted'
    else coalesce((
      select s.step::text
      from gaming.adjustment_steps s
      where s.adjustment_id = asked.id and s.step in ('rejected', 'cancelled', 'refused')),
      case when gaming.is_approved(asked.id) then 'approved'
        when asked.expires_at <= clock_timestamp() then 'expired'
        else 'requested' end) end
$$;
-- +goose StatementEnd

-- The line of the limits that holds for the login, none where there is none.
-- +goose StatementBegin
create function gaming.limit_of(action text, money text) returns gaming.adjustment_limits
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select l.*
  from gaming.adjustment_limits l
  where l.act = action and l.currency in (money, '*')
    and (l.grantee = session_user
      or (l.grantee in ('support', 'supervisor') and pg_has_role(session_user, l.grantee, 'member')))
  order by l.grantee = session_user desc, l.grantee = 'supervisor' desc, l.currency <> '*' desc
  limit 1
$$;
-- +goose StatementEnd

-- Whether an amount is within the login's limits, with what it did today.
-- +goose StatementBegin
create function gaming.within_limits(action text, money text, amount numeric, debt boolean) returns boolean
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  line gaming.adjustment_limits;
  today numeric;
begin
  line := gaming.limit_of(action, money);
  if line.grantee is null or abs(amount) > line.per_adjustment or (debt and not line.may_debt) then
    return false;
  end if;
  select coalesce(sum(abs(a.real + a.bonus)), 0) into today
  from gaming.adjustments a
  where a.currency = money and case action
    when 'request' then a.requested_by = session_user and a.requested_at > clock_timestamp() - interval '24 hours'
    else exists (
      select from gaming.adjustment_steps s
      where s.adjustment_id = a.id and s.step = 'approved' and s.actor = session_user
        and s.at > clock_timestamp() - interval '24 hours') end;
  return today + abs(amount) <= line.per_day;
end
$$;
-- +goose StatementEnd

-- The one way to ask. The wallet has to be there: who it is for is its own.
-- +goose StatementBegin
create function gaming.request_adjustment(wallet uuid, real_change numeric, bonus_change numeric, why text, given_ticket text,
  given_note text, entry bigint, given_case text, debt boolean, valid_for interval, from_host text, from_client text)
returns text
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  w gaming.wallets;
  made text := 'adj_' || replace(gen_random_uuid()::text, '-', '');
begin
  select * into w from gaming.wallets where id = wallet;
  if w.id is null then
    raise exception 'there is no wallet %', wallet using errcode = 'P0002';
  elsif not exists (select from gaming.adjustment_reasons where code = why and active) then
    raise exception 'there is no reason %', why using errcode = 'WA003';
  elsif entry is not null and not exists (select from gaming.entries e where e.wallet_id = wallet and e.seq = entry) then
    raise exception 'the wallet has no entry %', entry using errcode = 'WA003';
  end if;
  insert into gaming.adjustments (id, wallet_id, brand_id, user_id, currency, real, bonus, reason, ticket, note,
    corrects_seq, case_ref, allow_debt, needs_two, expires_at)
  values (made, w.id, w.brand_id, w.user_id, w.currency, real_change, bonus_change, why, given_ticket, given_note,
    entry, nullif(given_case, ''), debt,
    not gaming.within_limits('request', w.currency, real_change + bonus_change, debt), clock_timestamp() + valid_for);
  insert into gaming.adjustment_steps (adjustment_id, step, host, client) values (made, 'requested', from_host, from_client);
  perform pg_notify('gaming_adjustments', made);
  return made;
end
$$;
-- +goose StatementEnd

-- Locks an adjustment that waits for a person.
-- +goose StatementBegin
create function gaming.lock_adjustment(adjustment text) returns gaming.adjustments
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  asked gaming.adjustments;
begin
  -- Not for update: the table is append-only, whoever asks.
  perform pg_advisory_xact_lock(hashtextextended('walletctl adjustment ' || adjustment, 0));
  select * into asked from gaming.adjustments where id = adjustment;
  if asked.id is null then
    raise exception 'there is no adjustment %', adjustment using errcode = 'P0002';
  elsif gaming.state_of(asked) <> 'requested' then
    raise exception 'adjustment % is %', adjustment, gaming.state_of(asked) using errcode = 'WA002';
  end if;
  return asked;
end
$$;
-- +goose StatementEnd

-- Approves, and tells whether that was enough. One approval above the approver's
-- limits waits for another's.
-- +goose StatementBegin
create function gaming.approve_adjustment(adjustment text, given_note text, from_host text, from_client text) returns boolean
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  asked gaming.adjustments;
  enough boolean;
begin
  asked := gaming.lock_adjustment(adjustment);
  if exists (select from gaming.adjustment_steps s
    where s.adjustment_id = adjustment and s.step = 'approved' and s.actor = session_user) then
    raise exception 'you approved adjustment % already; it waits for a second approver', adjustment using errcode = 'WA001';
  elsif asked.allow_debt and not coalesce((gaming.limit_of('approve', asked.currency)).may_debt, false) then
    raise exception 'adjustment % may make a debt, which you may not approve', adjustment using errcode = 'WA001';
  end if;
  insert into gaming.adjustment_steps (adjustment_id, step, alone, note, host, client)
  values (adjustment, 'approved',
    gaming.within_limits('approve', asked.currency, asked.real + asked.bonus, asked.allow_debt), nullif(given_note, ''),
    from_host, from_client);
  enough := gaming.is_approved(adjustment);
  if enough then
    perform pg_notify('gaming_adjustments', adjustment);
  end if;
  return enough;
end
$$;
-- +goose StatementEnd

-- +goose StatementBegin
create function gaming.reject_adjustment(adjustment text, given_note text, from_host text, from_client text) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  if btrim(given_note) = '' then
    raise exception 'a rejection says why' using errcode = '22023';
  end if;
  perform gaming.lock_adjustment(adjustment);
  insert into gaming.adjustment_steps (adjustment_id, step, note, host, client)
  values (adjustment, 'rejected', given_note, from_host, from_client);
end
$$;
-- +goose StatementEnd

-- +goose StatementBegin
create function gaming.cancel_adjustment(adjustment text, given_note text, from_host text, from_client text) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform gaming.lock_adjustment(adjustment);
  insert into gaming.adjustment_steps (adjustment_id, step, note, host, client)
  values (adjustment, 'cancelled', nullif(given_note, ''), from_host, from_client);
end
$$;
-- +goose StatementEnd

-- gaming's word that it cannot post an approved adjustment: it would take the
-- balance below zero, for one. A new request can be made.
-- +goose StatementBegin
create function gaming.refuse_adjustment(adjustment text, why text) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('walletctl adjustment ' || adjustment, 0));
  insert into gaming.adjustment_steps (adjustment_id, step, note) values (adjustment, 'refused', why);
end
$$;
-- +goose StatementEnd

-- An adjustment entry is exactly what was approved, by others than who asked.
-- gaming, which writes it, cannot write an approval.
-- +goose StatementBegin
create function gaming.is_adjustment(wallet uuid, adjustment text, real_change numeric, bonus_change numeric) returns boolean
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select exists (
    select from gaming.adjustments a
    where a.id = adjustment and a.wallet_id = wallet and a.real = real_change and a.bonus = bonus_change
      and gaming.is_approved(a.id)
      and not exists (
        select from gaming.adjustment_steps s
        where s.adjustment_id = a.id and s.step in ('rejected', 'cancelled', 'refused')))
$$;
-- +goose StatementEnd

revoke execute on function gaming.check_step, gaming.is_approved, gaming.state_of, gaming.limit_of, gaming.within_limits,
  gaming.request_adjustment, gaming.lock_adjustment, gaming.approve_adjustment, gaming.reject_adjustment,
  gaming.cancel_adjustment, gaming.refuse_adjustment, gaming.is_adjustment from public;
grant execute on function gaming.request_adjustment, gaming.cancel_adjustment, gaming.within_limits, gaming.limit_of
  to support, supervisor;
grant execute on function gaming.approve_adjustment, gaming.reject_adjustment to supervisor;
grant execute on function gaming.refuse_adjustment, gaming.is_adjustment to gaming;
grant execute on function gaming.state_of, gaming.is_approved to gaming, worker, auditor, oncall, support, supervisor;
grant select on gaming.adjustments, gaming.adjustment_steps, gaming.adjustment_reasons, gaming.adjustment_limits
  to gaming, worker, auditor, oncall, support, supervisor;

-- The rules of entries, with a line for adjustments.
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
        when a.mark is not null then a.seq > 0 and a.real_after = a.real_before and a.bonus_after = a.bonus_before
          and case a.mark
            when 'tombstone' then a.kind in ('refund', 'win_reversal', 'withdrawal_reversal')
            else a.kind in ('bet', 'win', 'withdrawal') end
        when a.kind = 'opening' then a.seq = 0 and a.external_id = 'opening'
          and a.real_before = 0 and a.real_after = 0 and a.bonus_before = 0 and a.bonus_after = 0
        when a.seq <= 0 then false
        when a.kind in ('deposit', 'withdrawal_reversal') then a.real_after > a.real_before and a.bonus_after = a.bonus_before
        when a.kind = 'withdrawal' then a.real_after < a.real_before and a.bonus_after = a.bonus_before
        when a.kind in ('bet', 'win_reversal') then a.real_after <= a.real_before and a.bonus_after <= a.bonus_before
        when a.kind in ('win', 'refund') then a.real_after >= a.real_before and a.bonus_after >= a.bonus_before
        when a.kind = 'bonus_grant' then a.real_after = a.real_before and a.bonus_after > a.bonus_before
        when a.kind = 'bonus_forfeit' then a.real_after = a.real_before and a.bonus_after < a.bonus_before
        when a.kind = 'bonus_conversion' then a.real_after > a.real_before
          and a.real_after - a.real_before = a.bonus_before - a.bonus_after
        when a.kind = 'adjustment' then
          gaming.is_adjustment(a.wallet_id, a.external_id, a.real_after - a.real_before, a.bonus_after - a.bonus_before)
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
      when a.kind in ('deposit', 'withdrawal', 'withdrawal_reversal') and not coalesce((
        select r.wallet_id = a.wallet_id and r.seq = a.seq
        from gaming.receipts r
        where r.kind = a.kind and r.external_id = a.external_id), false)
        then 'lacks its receipt'
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
      where wallet_id = a.wallet_id and external_id = a.external_id
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

