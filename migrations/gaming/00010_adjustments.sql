-- +goose Up

-- Why employees correct balances. The operator adds and retires codes.
create table gaming.adjustment_reasons (
  code    text not null,
  meaning text not null,
  active  boolean not null default true,
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
  constraint adjustment_limits_pkey primary key (grantee, act, currency),
  constraint adjustment_limits_act_check check (act in ('request', 'approve')),
  constraint adjustment_limits_amount_check check (per_adjustment >= 0 and per_day >= 0
    and per_adjustment <> 'NaN' and per_day <> 'NaN')
);

-- What the limits were at any time, and who set them.
create table gaming.adjustment_limit_changes (
  id             bigint generated always as identity,
  at             timestamptz not null default clock_timestamp(),
  actor          text not null default session_user,
  change         text not null, -- set or removed
  grantee        text not null,
  act            text not null,
  currency       text not null,
  per_adjustment numeric(18,8) not null,
  per_day        numeric(18,8) not null,
  may_debt       boolean not null,
  constraint adjustment_limit_changes_pkey primary key (id)
);

-- +goose StatementBegin
create function gaming.tell_limit() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  if tg_op <> 'INSERT' and (tg_op = 'DELETE'
    or (old.grantee, old.act, old.currency) is distinct from (new.grantee, new.act, new.currency))
  then
    insert into gaming.adjustment_limit_changes (change, grantee, act, currency, per_adjustment, per_day, may_debt)
    values ('removed', old.grantee, old.act, old.currency, old.per_adjustment, old.per_day, old.may_debt);
  end if;
  if tg_op <> 'DELETE' then
    insert into gaming.adjustment_limit_changes (change, grantee, act, currency, per_adjustment, per_day, may_debt)
    values ('set', new.grantee, new.act, new.currency, new.per_adjustment, new.per_day, new.may_debt);
  end if;
  return null;
end
$$;
-- +goose StatementEnd
create trigger adjustment_limits_told after insert or update or delete on gaming.adjustment_limits
  for each row execute function gaming.tell_limit();
create trigger adjustment_limits_not_truncated before truncate on gaming.adjustment_limits
  for each statement execute function gaming.refuse_change('limits are changed line by line');
create trigger adjustment_limit_changes_append_only before update or delete or truncate on gaming.adjustment_limit_changes
  for each statement execute function gaming.refuse_change('the history is append-only');
alter table gaming.adjustment_limits enable always trigger adjustment_limits_told;
alter table gaming.adjustment_limits enable always trigger adjustment_limits_not_truncated;
alter table gaming.adjustment_limit_changes enable always trigger adjustment_limit_changes_append_only;

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
  requested_by text not null,
  requested_at timestamptz not null,
  expires_at   timestamptz not null,
  constraint adjustments_pkey primary key (id),
  constraint adjustments_reason_fkey foreign key (reason) references gaming.adjustment_reasons (code),
  constraint adjustments_id_check check (id ~ '^adj_[0-9a-f]{32}$'),
  constraint adjustments_amount_check check (
    (real = 0) <> (bonus = 0) and real <> 'NaN' and bonus <> 'NaN' and (real < 0 or not allow_debt)),
  constraint adjustments_text_check check (
    btrim(ticket) <> '' and octet_length(ticket) <= 255 and octet_length(note) <= 2000
    and case_ref <> '' and octet_length(case_ref) <= 64 and ticket !~ '[\x01-\x1f\x7f]' and case_ref !~ '[\x01-\x1f\x7f]'),
  constraint adjustments_expiry_check check (
    expires_at > requested_at and expires_at <= requested_at + interval '720 hours')
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
  at            timestamptz not null,
  actor         text not null,
  step          gaming.adjustment_step not null,
  alone         boolean not null, -- an approval within the approver's own limits
  note          text,
  host          text, -- as the client tells it
  client        text, -- the same
  address       inet, -- as the server sees it: the client's, or a pooler's
  constraint adjustment_steps_pkey primary key (id),
  constraint adjustment_steps_adjustment_id_fkey foreign key (adjustment_id) references gaming.adjustments (id),
  constraint adjustment_steps_text_check check (
    octet_length(note) <= 2000 and octet_length(host) <= 255 and octet_length(client) <= 255)
);
create index adjustment_steps_adjustment on gaming.adjustment_steps (adjustment_id, id);
-- Nobody approves twice, and there is one beginning and one end.
create unique index adjustment_steps_approver on gaming.adjustment_steps (adjustment_id, actor) where step = 'approved';
create unique index adjustment_steps_beginning on gaming.adjustment_steps (adjustment_id) where step = 'requested';
create unique index adjustment_steps_end on gaming.adjustment_steps (adjustment_id)
  where step in ('rejected', 'cancelled', 'refused');
create index adjustment_steps_day on gaming.adjustment_steps (actor, at) where step = 'approved';

create trigger adjustments_append_only before update or delete or truncate on gaming.adjustments
  for each statement execute function gaming.refuse_change('adjustments are append-only');
create trigger adjustment_steps_append_only before update or delete or truncate on gaming.adjustment_steps
  for each statement execute function gaming.refuse_change('adjustments are append-only');
alter table gaming.adjustments enable always trigger adjustments_append_only;
alter table gaming.adjustment_steps enable always trigger adjustment_steps_append_only;

-- One after the other, and each sees what the one before committed: a snapshot
-- from before the lock would let a step pass that no longer may.
-- +goose StatementBegin
create function gaming.lock_adjusting(what text) returns void
language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  if current_setting('transaction_isolation') <> 'read committed' then
    raise exception 'adjustments are worked at the isolation level read committed' using errcode = 'WA003';
  end if;
  perform pg_advisory_xact_lock(hashtextextended('walletctl adjustment ' || what, 0));
end
$$;
-- +goose StatementEnd

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

-- Whether an amount is within the login's limits, with what it did in the last
-- 24 hours. What came to nothing does not count.
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
  from (
    select a.*
    from gaming.adjustments a
    where action = 'request' and a.requested_by = session_user
      and a.requested_at > clock_timestamp() - interval '24 hours'
    union all
    select a.*
    from gaming.adjustment_steps s
    join gaming.adjustments a on a.id = s.adjustment_id
    where action = 'approve' and s.step = 'approved' and s.actor = session_user
      and s.at > clock_timestamp() - interval '24 hours') a
  where a.currency = money and not exists (
    select from gaming.adjustment_steps s
    where s.adjustment_id = a.id and s.step in ('rejected', 'cancelled', 'refused'));
  return today + abs(amount) <= line.per_day;
end
$$;
-- +goose StatementEnd

-- Who asks, when, and whose wallet it is are facts, not what somebody writes:
-- whoever inserts, the owner of the table as well.
-- +goose StatementBegin
create function gaming.check_adjustment() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  w gaming.wallets;
begin
  if not pg_has_role(session_user, 'support', 'member') and not pg_has_role(session_user, 'supervisor', 'member') then
    raise exception '% is no member of support or supervisor', session_user using errcode = '42501';
  end if;
  select * into w from gaming.wallets where id = new.wallet_id;
  if w.id is null then
    raise exception 'there is no wallet %', new.wallet_id using errcode = 'P0002';
  elsif not exists (select from gaming.adjustment_reasons where code = new.reason and active) then
    raise exception 'there is no reason %', new.reason using errcode = 'WA003';
  elsif new.corrects_seq is not null
    and not exists (select from gaming.entries e where e.wallet_id = w.id and e.seq = new.corrects_seq)
  then
    raise exception 'the wallet has no entry %', new.corrects_seq using errcode = 'WA003';
  end if;
  perform gaming.lock_adjusting('by ' || session_user); -- what is asked for at the same time adds up
  new.brand_id := w.brand_id;
  new.user_id := w.user_id;
  new.currency := w.currency;
  new.requested_by := session_user;
  new.requested_at := clock_timestamp();
  new.needs_two := not gaming.within_limits('request', w.currency, new.real + new.bonus, new.allow_debt);
  return new;
end
$$;
-- +goose StatementEnd
create trigger adjustments_checked before insert on gaming.adjustments
  for each row execute function gaming.check_adjustment();
alter table gaming.adjustments enable always trigger adjustments_checked;

-- Four eyes, whoever inserts: whoever approves is a supervisor, and not who
-- asked; nothing is added behind an end, and nobody changes their mind about
-- what is approved.
-- +goose StatementBegin
create function gaming.check_step() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  asked gaming.adjustments;
  state text;
begin
  perform gaming.lock_adjusting(new.adjustment_id);
  select * into asked from gaming.adjustments where id = new.adjustment_id;
  if asked.id is null then
    raise exception 'there is no adjustment %', new.adjustment_id using errcode = 'P0002';
  end if;
  new.at := clock_timestamp();
  new.actor := session_user;
  new.alone := false;
  new.address := inet_client_addr();
  state := gaming.state_of(asked);
  if new.step in ('requested', 'cancelled') and new.actor <> asked.requested_by then
    raise exception 'adjustment % was requested by %, who alone can cancel it', asked.id, asked.requested_by using errcode = 'WA001';
  elsif new.step in ('approved', 'rejected') and not pg_has_role(session_user, 'supervisor', 'member')
    or new.step = 'refused' and not pg_has_role(session_user, 'gaming', 'member')
  then
    raise exception '% may not have an adjustment %', session_user, new.step using errcode = '42501';
  elsif state <> (case new.step when 'refused' then 'approved' else 'requested' end) then
    raise exception 'adjustment % is %', asked.id, state using errcode = 'WA002';
  elsif new.step = 'rejected' and coalesce(btrim(new.note), '') = '' then
    raise exception 'a rejection says why' using errcode = 'WA003';
  elsif new.step = 'approved' then
    new.alone := gaming.check_approval(asked);
  end if;
  return new;
end
$$;
-- +goose StatementEnd

-- Whether the login may approve, and whether that is within its own limits.
-- +goose StatementBegin
create function gaming.check_approval(asked gaming.adjustments) returns boolean
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform gaming.lock_adjusting('by ' || session_user); -- what is approved at the same time adds up
  if asked.requested_by = session_user then
    raise exception 'adjustment % was requested by %, who cannot approve it', asked.id, asked.requested_by using errcode = 'WA001';
  elsif exists (
    select from gaming.adjustment_steps s
    where s.adjustment_id = asked.id and s.step = 'approved' and s.actor = session_user)
  then
    raise exception '% approved adjustment % already; it waits for a second approver', session_user, asked.id using errcode = 'WA001';
  elsif asked.allow_debt and not coalesce((gaming.limit_of('approve', asked.currency)).may_debt, false) then
    raise exception 'adjustment % may make a debt, which % may not approve', asked.id, session_user using errcode = 'WA001';
  end if;
  return gaming.within_limits('approve', asked.currency, asked.real + asked.bonus, asked.allow_debt);
end
$$;
-- +goose StatementEnd
create trigger adjustment_steps_checked before insert on gaming.adjustment_steps
  for each row execute function gaming.check_step();
alter table gaming.adjustment_steps enable always trigger adjustment_steps_checked;

-- The one way to ask. The wallet has to be there: who it is for is its own. The
-- id is the client's, so that it can look what became of a lost answer.
-- +goose StatementBegin
create function gaming.request_adjustment(adjustment text, wallet uuid, real_change numeric, bonus_change numeric, why text,
  given_ticket text, given_note text, entry bigint, given_case text, debt boolean, valid_for interval, from_host text,
  from_client text)
returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  if real_change <> round(real_change, 8) or bonus_change <> round(bonus_change, 8) then
    raise exception 'an amount has at most 8 decimal places' using errcode = 'WA003';
  end if;
  -- The trigger fills in the rest.
  insert into gaming.adjustments (id, wallet_id, real, bonus, reason, ticket, note, corrects_seq, case_ref, allow_debt, expires_at)
  values (adjustment, wallet, real_change, bonus_change, why, given_ticket, coalesce(given_note, ''), entry,
    nullif(given_case, ''), debt, clock_timestamp() + valid_for);
  insert into gaming.adjustment_steps (adjustment_id, step, host, client) values (adjustment, 'requested', from_host, from_client);
  perform pg_notify('gaming_adjustments', adjustment);
end
$$;
-- +goose StatementEnd

-- Approves, and tells whether that was enough. One approval above the approver's
-- limits waits for another's.
-- +goose StatementBegin
create function gaming.approve_adjustment(adjustment text, given_note text, from_host text, from_client text) returns boolean
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  enough boolean;
begin
  insert into gaming.adjustment_steps (adjustment_id, step, note, host, client)
  values (adjustment, 'approved', nullif(given_note, ''), from_host, from_client);
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
language sql security definer set search_path = pg_catalog, pg_temp as $$
  insert into gaming.adjustment_steps (adjustment_id, step, note, host, client)
  values (adjustment, 'rejected', given_note, from_host, from_client)
$$;
-- +goose StatementEnd

-- +goose StatementBegin
create function gaming.cancel_adjustment(adjustment text, given_note text, from_host text, from_client text) returns void
language sql security definer set search_path = pg_catalog, pg_temp as $$
  insert into gaming.adjustment_steps (adjustment_id, step, note, host, client)
  values (adjustment, 'cancelled', nullif(given_note, ''), from_host, from_client)
$$;
-- +goose StatementEnd

-- gaming's word that it cannot post an approved adjustment: it would take the
-- balance below zero, for one. A new request can be made.
-- +goose StatementBegin
create function gaming.refuse_adjustment(adjustment text, why text, from_host text, from_client text) returns void
language sql security definer set search_path = pg_catalog, pg_temp as $$
  insert into gaming.adjustment_steps (adjustment_id, step, note, host, client)
  values (adjustment, 'refused', why, from_host, from_client)
$$;
-- +goose StatementEnd

-- An adjustment entry is exactly what was approved, by others than who asked,
-- and below zero only where that was asked for. gaming, which writes it, cannot
-- write an approval. The lock keeps gaming's own refusal out until this commits.
-- +goose StatementBegin
create function gaming.is_adjustment(wallet uuid, adjustment text, who text, real_was numeric, real_is numeric,
  bonus_was numeric, bonus_is numeric)
returns boolean
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform gaming.lock_adjusting(adjustment);
  return exists (
    select from gaming.adjustments a
    where a.id = adjustment and a.wallet_id = wallet and a.requested_by = who
      and a.real = real_is - real_was and a.bonus = bonus_is - bonus_was
      and (a.allow_debt or real_is >= 0 or real_is >= real_was)
      and gaming.is_approved(a.id)
      and not exists (
        select from gaming.adjustment_steps s
        where s.adjustment_id = a.id and s.step in ('rejected', 'cancelled', 'refused')));
end
$$;
-- +goose StatementEnd

-- Whether supervisors were told of a request, over the webhook.
create table gaming.adjustment_notices (
  adjustment_id text collate "C" not null,
  attempts      integer not null,
  next_at       timestamptz not null, -- whoever takes it has until then
  told_at       timestamptz,
  constraint adjustment_notices_pkey primary key (adjustment_id),
  constraint adjustment_notices_adjustment_id_fkey foreign key (adjustment_id) references gaming.adjustments (id)
);

-- Gives one request that waits for a person and was not told of, to one gaming
-- at a time: for half a minute, and each time it fails for longer.
-- +goose StatementBegin
create function gaming.take_adjustment_notice() returns text
language sql security definer set search_path = pg_catalog, pg_temp as $$
  insert into gaming.adjustment_notices as n (adjustment_id, attempts, next_at)
  select a.id, 1, clock_timestamp() + interval '30 seconds'
  from gaming.adjustments a
  left join gaming.adjustment_notices t on t.adjustment_id = a.id
  where a.requested_at > clock_timestamp() - interval '720 hours' -- nothing waits longer
    and (t.adjustment_id is null or (t.told_at is null and t.next_at <= clock_timestamp()))
    and gaming.state_of(a) = 'requested'
  order by coalesce(t.next_at, a.requested_at)
  limit 1
  on conflict (adjustment_id) do update
  set attempts = n.attempts + 1, next_at = clock_timestamp() + interval '30 seconds' * (1 << least(n.attempts, 5))
  where n.told_at is null and n.next_at <= clock_timestamp()
  returning adjustment_id
$$;
-- +goose StatementEnd

-- +goose StatementBegin
create function gaming.note_adjustment_told(adjustment text) returns void
language sql security definer set search_path = pg_catalog, pg_temp as $$
  update gaming.adjustment_notices set told_at = clock_timestamp() where adjustment_id = adjustment and told_at is null
$$;
-- +goose StatementEnd

revoke execute on function gaming.tell_limit, gaming.lock_adjusting, gaming.is_approved, gaming.state_of, gaming.limit_of,
  gaming.within_limits, gaming.check_adjustment, gaming.check_step, gaming.check_approval, gaming.request_adjustment,
  gaming.approve_adjustment, gaming.reject_adjustment, gaming.cancel_adjustment, gaming.refuse_adjustment,
  gaming.is_adjustment, gaming.take_adjustment_notice, gaming.note_adjustment_told from public;
grant execute on function gaming.request_adjustment, gaming.cancel_adjustment, gaming.within_limits, gaming.limit_of
  to support, supervisor;
grant execute on function gaming.approve_adjustment, gaming.reject_adjustment to supervisor;
grant execute on function gaming.refuse_adjustment, gaming.is_adjustment, gaming.take_adjustment_notice,
  gaming.note_adjustment_told to gaming;
grant execute on function gaming.state_of, gaming.is_approved to gaming, worker, auditor, oncall, support, supervisor;
grant select on gaming.adjustments, gaming.adjustment_steps, gaming.adjustment_reasons, gaming.adjustment_limits,
  gaming.adjustment_limit_changes, gaming.adjustment_notices
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

