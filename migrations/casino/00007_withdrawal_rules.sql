-- +goose Up

create trigger withdrawals_born_requested before insert on casino.withdrawals
  for each row when (new.status <> 'requested')
  execute function casino.refuse_change('a withdrawal begins requested');

-- paid and reversed are final: what was given back can never be paid, and what
-- was paid is not given back by a machine.
create trigger withdrawals_legal_move before update on casino.withdrawals
  for each row when (old.status <> new.status and not (
    (old.status = 'requested' and new.status in ('debited', 'rejected'))
    or (old.status = 'debited' and new.status in ('paid', 'rejected'))
    or (old.status = 'rejected' and new.status = 'reversed')))
  execute function casino.refuse_change('the status cannot move that way');

-- Whose it is, how much and where to never changes; what happened stays as it
-- was written.
create trigger withdrawals_fixed before update on casino.withdrawals
  for each row when (
    (old.id, old.brand_id, old.user_id, old.currency, old.amount, old.gateway, old.account, old.destination,
      old.idempotency_key, old.correlation_id, old.created_at)
      is distinct from
    (new.id, new.brand_id, new.user_id, new.currency, new.amount, new.gateway, new.account, new.destination,
      new.idempotency_key, new.correlation_id, new.created_at)
    or (old.debited_at is not null
      and (old.debited_at, old.receipt_wallet_id, old.receipt_seq, old.receipt_real_before, old.receipt_real_after,
        old.receipt_bonus_before, old.receipt_bonus_after, old.receipt_recorded_at)
        is distinct from
      (new.debited_at, new.receipt_wallet_id, new.receipt_seq, new.receipt_real_before, new.receipt_real_after,
        new.receipt_bonus_before, new.receipt_bonus_after, new.receipt_recorded_at))
    or (old.payout_requested_at is not null and old.payout_requested_at is distinct from new.payout_requested_at)
    or (old.paid_at is not null and old.paid_at is distinct from new.paid_at)
    or (old.rejected_at is not null and (old.rejected_at, old.reason) is distinct from (new.rejected_at, new.reason))
    or (old.reversed_at is not null
      and (old.reversed_at, old.reversal_wallet_id, old.reversal_seq, old.reversal_real_before,
        old.reversal_real_after, old.reversal_bonus_before, old.reversal_bonus_after, old.reversal_recorded_at)
        is distinct from
      (new.reversed_at, new.reversal_wallet_id, new.reversal_seq, new.reversal_real_before,
        new.reversal_real_after, new.reversal_bonus_before, new.reversal_bonus_after, new.reversal_recorded_at)))
  execute function casino.refuse_change('what a withdrawal is, its receipts and its times never change');

-- A payout is asked for while the money is taken, and not after it was given
-- back or paid.
create trigger withdrawals_payout before update on casino.withdrawals
  for each row when (old.payout_requested_at is null and new.payout_requested_at is not null
    and new.status not in ('debited', 'paid'))
  execute function casino.refuse_change('only what is debited is paid out');

-- +goose StatementBegin
create function casino.check_paid() returns trigger
language plpgsql as $$
begin
  if not exists (
    select from casino.payouts p
    where p.withdrawal_id = new.id and p.gateway = new.gateway and p.account = new.account
      and p.amount = new.amount and p.currency = new.currency)
  then
    raise exception 'withdrawal % is not paid by a payout of its amount', new.id
      using errcode = 'WD002';
  end if;
  return null;
end
$$;
-- +goose StatementEnd

create trigger withdrawals_paid after update on casino.withdrawals
  for each row when (old.status <> 'paid' and new.status = 'paid')
  execute function casino.check_paid();

create trigger withdrawals_kept before delete or truncate on casino.withdrawals
  for each statement execute function casino.refuse_change('withdrawals are never deleted');
create trigger payouts_append_only before update or delete or truncate on casino.payouts
  for each statement execute function casino.refuse_change('payouts are append-only');
create trigger withdrawal_events_append_only before update or delete or truncate on casino.withdrawal_events
  for each statement execute function casino.refuse_change('the history is append-only');

-- The withdrawal that a message names is evidence like the rest of it.
drop trigger gateway_messages_fixed on casino.gateway_messages;
create trigger gateway_messages_fixed before update on casino.gateway_messages
  for each row when (old.result <> 'unmatched'
    or (old.id, old.gateway, old.account, old.brand_id, old.dialect, old.event_id, old.event_type, old.deposit_id,
      old.withdrawal_id, old.payment_id, old.status, old.amount, old.currency, old.occurred_at, old.received_at,
      old.body)
      is distinct from
    (new.id, new.gateway, new.account, new.brand_id, new.dialect, new.event_id, new.event_type, new.deposit_id,
      new.withdrawal_id, new.payment_id, new.status, new.amount, new.currency, new.occurred_at, new.received_at,
      new.body))
  execute function casino.refuse_change('messages are evidence');

-- ALWAYS: session_replication_role = replica does not switch them off.
alter table casino.withdrawals enable always trigger withdrawals_born_requested;
alter table casino.withdrawals enable always trigger withdrawals_legal_move;
alter table casino.withdrawals enable always trigger withdrawals_fixed;
alter table casino.withdrawals enable always trigger withdrawals_payout;
alter table casino.withdrawals enable always trigger withdrawals_paid;
alter table casino.withdrawals enable always trigger withdrawals_kept;
alter table casino.payouts enable always trigger payouts_append_only;
alter table casino.withdrawal_events enable always trigger withdrawal_events_append_only;
alter table casino.gateway_messages enable always trigger gateway_messages_fixed;

grant select, insert on casino.withdrawals, casino.payouts, casino.withdrawal_events to casino;
grant update (status, debit_job_id, payout_job_id, reversal_job_id, attempts, last_error, last_error_class,
  last_error_at, next_attempt_at, debited_at, payout_requested_at, paid_at, rejected_at, reason, reversed_at,
  receipt_wallet_id, receipt_seq, receipt_real_before, receipt_real_after, receipt_bonus_before, receipt_bonus_after,
  receipt_recorded_at, reversal_wallet_id, reversal_seq, reversal_real_before, reversal_real_after,
  reversal_bonus_before, reversal_bonus_after, reversal_recorded_at)
  on casino.withdrawals to casino;
grant select on casino.withdrawals, casino.payouts, casino.withdrawal_events
  to worker, auditor, oncall, support, supervisor;
grant select (withdrawal_id) on casino.gateway_messages to worker, oncall, support, supervisor;
