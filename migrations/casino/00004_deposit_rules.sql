-- +goose Up

-- What no client may do, whatever its SQL and whoever it is: the rules are in
-- the conditions of the triggers, so they cost nothing where they hold.

-- +goose StatementBegin
create function casino.refuse_change() returns trigger
language plpgsql as $$
begin
  raise exception '% on casino.% is refused: %', tg_op, tg_table_name, tg_argv[0]
    using errcode = 'WD001';
end
$$;
-- +goose StatementEnd

-- Money that was not paid cannot be credited: a deposit becomes confirmed only
-- with the payment that paid exactly it.
-- +goose StatementBegin
create function casino.check_confirmed() returns trigger
language plpgsql as $$
begin
  if not exists (
    select from casino.payments p
    where p.deposit_id = new.id and p.gateway = new.gateway and p.account = new.account
      and p.amount = new.amount and p.currency = new.currency)
  then
    raise exception 'deposit % is not confirmed by a payment of its amount', new.id
      using errcode = 'WD002';
  end if;
  return null;
end
$$;
-- +goose StatementEnd

create trigger deposits_born_pending before insert on casino.deposits
  for each row when (new.status <> 'pending')
  execute function casino.refuse_change('a deposit begins pending');

-- confirmed is never downgraded, credited is final. Money that comes late is
-- still money: expired and failed may become confirmed.
create trigger deposits_legal_move before update on casino.deposits
  for each row when (old.status <> new.status and not (
    (old.status = 'pending' and new.status in ('confirmed', 'expired', 'failed'))
    or (old.status in ('expired', 'failed') and new.status = 'confirmed')
    or (old.status = 'confirmed' and new.status = 'credited')))
  execute function casino.refuse_change('the status cannot move that way');

-- Whose it is and how much never changes; what was confirmed and what was
-- received stays as it was.
create trigger deposits_fixed before update on casino.deposits
  for each row when (
    (old.id, old.brand_id, old.user_id, old.currency, old.amount, old.gateway, old.account,
      old.idempotency_key, old.created_at)
      is distinct from
    (new.id, new.brand_id, new.user_id, new.currency, new.amount, new.gateway, new.account,
      new.idempotency_key, new.created_at)
    or (old.confirmed_at is not null
      and (old.confirmed_at, old.correlation_id) is distinct from (new.confirmed_at, new.correlation_id))
    or (old.charged_back_at is not null and old.charged_back_at is distinct from new.charged_back_at)
    or (old.status = 'credited'
      and (old.credited_at, old.receipt_wallet_id, old.receipt_seq, old.receipt_real_before, old.receipt_real_after,
        old.receipt_bonus_before, old.receipt_bonus_after, old.receipt_recorded_at)
        is distinct from
      (new.credited_at, new.receipt_wallet_id, new.receipt_seq, new.receipt_real_before, new.receipt_real_after,
        new.receipt_bonus_before, new.receipt_bonus_after, new.receipt_recorded_at)))
  execute function casino.refuse_change('what a deposit is, its confirmation and its receipt never change');

create trigger deposits_paid after update on casino.deposits
  for each row when (old.status <> 'confirmed' and new.status = 'confirmed')
  execute function casino.check_confirmed();

create trigger deposits_kept before delete or truncate on casino.deposits
  for each statement execute function casino.refuse_change('deposits are never deleted');

-- A message is evidence. Only what came of it may change, and only once.
create trigger gateway_messages_fixed before update on casino.gateway_messages
  for each row when (old.result <> 'unmatched'
    or (old.id, old.gateway, old.account, old.brand_id, old.dialect, old.event_id, old.event_type, old.deposit_id,
      old.payment_id, old.status, old.amount, old.currency, old.occurred_at, old.received_at, old.body)
      is distinct from
    (new.id, new.gateway, new.account, new.brand_id, new.dialect, new.event_id, new.event_type, new.deposit_id,
      new.payment_id, new.status, new.amount, new.currency, new.occurred_at, new.received_at, new.body))
  execute function casino.refuse_change('messages are evidence');
create trigger gateway_messages_kept before delete or truncate on casino.gateway_messages
  for each statement execute function casino.refuse_change('messages are evidence');

create trigger payments_append_only before update or delete or truncate on casino.payments
  for each statement execute function casino.refuse_change('payments are append-only');
create trigger deposit_events_append_only before update or delete or truncate on casino.deposit_events
  for each statement execute function casino.refuse_change('the history is append-only');

-- A case tells for ever why it was opened; a closed one stays closed, and the
-- same trouble opens a new one.
create trigger cases_fixed before update on casino.cases
  for each row when (old.closed_at is not null
    or (old.id, old.brand_id, old.subject_type, old.subject_id, old.kind, old.cause, old.detail, old.opened_at)
      is distinct from
    (new.id, new.brand_id, new.subject_type, new.subject_id, new.kind, new.cause, new.detail, new.opened_at))
  execute function casino.refuse_change('a case is not rewritten');
create trigger cases_kept before delete or truncate on casino.cases
  for each statement execute function casino.refuse_change('cases are never deleted');

-- An effect that was published is not taken back, nor raised again.
create trigger effects_fixed before update on casino.effects
  for each row when (old.published_at is not null
    or (old.deposit_id, old.effect, old.recorded_at) is distinct from (new.deposit_id, new.effect, new.recorded_at))
  execute function casino.refuse_change('a published effect never changes');
create trigger effects_kept before delete or truncate on casino.effects
  for each statement execute function casino.refuse_change('effects are never deleted');

-- ALWAYS: session_replication_role = replica does not switch them off.
alter table casino.deposits enable always trigger deposits_born_pending;
alter table casino.deposits enable always trigger deposits_legal_move;
alter table casino.deposits enable always trigger deposits_fixed;
alter table casino.deposits enable always trigger deposits_paid;
alter table casino.deposits enable always trigger deposits_kept;
alter table casino.gateway_messages enable always trigger gateway_messages_fixed;
alter table casino.gateway_messages enable always trigger gateway_messages_kept;
alter table casino.payments enable always trigger payments_append_only;
alter table casino.deposit_events enable always trigger deposit_events_append_only;
alter table casino.cases enable always trigger cases_fixed;
alter table casino.cases enable always trigger cases_kept;
alter table casino.effects enable always trigger effects_fixed;
alter table casino.effects enable always trigger effects_kept;
