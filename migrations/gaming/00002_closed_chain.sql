-- +goose Up

-- The chain is closed by the database: no client, with any SQL, can commit a
-- balance without its entry or an entry without its balance. The checks are
-- statement-level, so that a batch is checked as one set, and they see what the
-- whole statement did: balance and entry therefore change in the same
-- statement. Look-ups are correlated scalar subqueries on purpose: as a join
-- with the transition table the planner may scan the whole table.

-- +goose StatementBegin
create function gaming.refuse_change() returns trigger
language plpgsql as $$
begin
  raise exception '% on gaming.% is refused: %', tg_op, tg_table_name, tg_argv[0]
    using errcode = 'WL002',
          hint = 'A mistake is put right by a new movement (walletctl adjust), never by a change.';
end
$$;
-- +goose StatementEnd

-- +goose StatementBegin
create function gaming.check_entries() returns trigger
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
    or (a.kind = 'deposit' and not coalesce((
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

-- +goose StatementBegin
create function gaming.check_wallets() returns trigger
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
  limit 1;
  if found then
    raise exception 'wallet % at seq % does not stand where its last entry says', bad.id, bad.seq
      using errcode = 'WL001', hint = 'Post movements through the ledger only.';
  end if;
  return null;
end
$$;
-- +goose StatementEnd

-- +goose StatementBegin
create function gaming.check_receipts() returns trigger
language plpgsql as $$
declare
  bad record;
begin
  select a.kind, a.external_id into bad
  from added a
  where not coalesce((
    select e.kind = a.kind and e.external_id = a.external_id
    from gaming.entries e
    where e.wallet_id = a.wallet_id and e.seq = a.seq), false)
  limit 1;
  if found then
    raise exception 'receipt % % has no entry', bad.kind, bad.external_id
      using errcode = 'WL001', hint = 'Post movements through the ledger only.';
  end if;
  return null;
end
$$;
-- +goose StatementEnd

create trigger entries_closed after insert on gaming.entries
  referencing new table as added for each statement execute function gaming.check_entries();
create trigger receipts_closed after insert on gaming.receipts
  referencing new table as added for each statement execute function gaming.check_receipts();
create trigger wallets_closed_insert after insert on gaming.wallets
  referencing new table as changed for each statement execute function gaming.check_wallets();
create trigger wallets_closed_update after update on gaming.wallets
  referencing new table as changed for each statement execute function gaming.check_wallets();

-- The condition is evaluated without calling the function, so the rule costs
-- next to nothing. A wallet set back to an older entry would pass the check
-- above: that entry exists.
create trigger wallets_forward before update on gaming.wallets
  for each row when (
    new.seq < old.seq or new.id <> old.id or new.brand_id <> old.brand_id
    or new.user_id <> old.user_id or new.currency <> old.currency)
  execute function gaming.refuse_change('a wallet only moves forward and never changes whose it is');
create trigger wallets_kept before delete on gaming.wallets
  for each statement execute function gaming.refuse_change('wallets are never deleted');
create trigger wallets_not_truncated before truncate on gaming.wallets
  for each statement execute function gaming.refuse_change('wallets are never deleted');
create trigger entries_append_only before update or delete on gaming.entries
  for each statement execute function gaming.refuse_change('entries are append-only');
create trigger entries_not_truncated before truncate on gaming.entries
  for each statement execute function gaming.refuse_change('entries are append-only');
create trigger receipts_append_only before update or delete on gaming.receipts
  for each statement execute function gaming.refuse_change('receipts are append-only');
create trigger receipts_not_truncated before truncate on gaming.receipts
  for each statement execute function gaming.refuse_change('receipts are append-only');

-- ALWAYS: session_replication_role = replica does not switch them off.
alter table gaming.entries enable always trigger entries_closed;
alter table gaming.entries enable always trigger entries_append_only;
alter table gaming.entries enable always trigger entries_not_truncated;
alter table gaming.receipts enable always trigger receipts_closed;
alter table gaming.receipts enable always trigger receipts_append_only;
alter table gaming.receipts enable always trigger receipts_not_truncated;
alter table gaming.wallets enable always trigger wallets_closed_insert;
alter table gaming.wallets enable always trigger wallets_closed_update;
alter table gaming.wallets enable always trigger wallets_forward;
alter table gaming.wallets enable always trigger wallets_kept;
alter table gaming.wallets enable always trigger wallets_not_truncated;
