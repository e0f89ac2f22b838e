-- +goose Up

-- The rules stay, where they are checked changes. For each statement PostgreSQL
-- parses every CHECK constraint and every WHEN of a table anew, a good part of
-- a posting; what a function holds it parses once a session. And a
-- look-up costs more to set up than to do, so one finds what an entry undoes,
-- or is undone by, where there were nine.

alter table gaming.entries
  drop constraint entries_seq_check,
  drop constraint entries_external_id_check,
  drop constraint entries_actor_check,
  drop constraint entries_hash_check,
  drop constraint entries_nan_check,
  drop constraint entries_effect_check;
alter table gaming.wallets
  drop constraint wallets_real_check,
  drop constraint wallets_bonus_check,
  drop constraint wallets_debt_limit_check,
  drop constraint wallets_key_check,
  drop constraint wallets_head_check;

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

drop trigger entries_reversals on gaming.entries;
drop function gaming.check_reversals();

-- +goose StatementBegin
create or replace function gaming.check_wallets() returns trigger
language plpgsql as $$
declare
  bad record;
begin
  select c.id, c.seq into bad
  from changed c
  where not coalesce((
      select e.real_after = c.real and e.bonus_after = c.bonus and e.hash = c.head
      from gaming.entries e
      where e.wallet_id = c.id and e.seq = c.seq), false)
    or c.real < -c.debt_limit or c.real = 'NaN' or c.bonus < 0 or c.bonus = 'NaN'
    or c.debt_limit < 0 or c.debt_limit = 'NaN'
  limit 1;
  if found then
    raise exception 'wallet % at seq % does not stand where its last entry says, or stands below zero', bad.id, bad.seq
      using errcode = 'WL001', hint = 'Post movements through the ledger only.';
  end if;
  return null;
end
$$;
-- +goose StatementEnd

-- A wallet set back to an older entry would pass the check above: that entry
-- exists.
-- +goose StatementBegin
create function gaming.check_move() returns trigger
language plpgsql as $$
begin
  if new.seq < old.seq then
    raise exception 'wallet % only moves forward', old.id using errcode = 'WL002';
  end if;
  if new.debt_limit > old.debt_limit and (new.seq = old.seq or new.real <> -new.debt_limit) then
    raise exception 'the debt of wallet % is raised only by the movement that makes it', old.id using errcode = 'WL002';
  end if;
  return new;
end
$$;
-- +goose StatementEnd
drop trigger wallets_forward on gaming.wallets;
drop trigger wallets_debt on gaming.wallets;
create trigger wallets_forward before update on gaming.wallets
  for each row execute function gaming.check_move();

-- By column: a statement that does not name one of these does not pay for it.
create trigger wallets_identity before update of id, brand_id, user_id, currency on gaming.wallets
  for each statement execute function gaming.refuse_change('whose wallet it is never changes');

-- Wallets are born once, so this may cost what a CHECK does.
create trigger wallets_named before insert on gaming.wallets
  for each row when (new.brand_id = '' or new.user_id = '' or new.currency !~ '^[A-Z][A-Z0-9]{2,9}$')
  execute function gaming.refuse_change('a wallet has a brand, a user and a currency');

alter table gaming.wallets enable always trigger wallets_forward;
alter table gaming.wallets enable always trigger wallets_identity;
alter table gaming.wallets enable always trigger wallets_named;
