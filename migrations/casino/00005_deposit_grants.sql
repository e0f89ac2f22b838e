-- +goose Up

-- casino creates and moves deposits; what it may not change, no bug in it can.
grant select, insert on casino.deposits, casino.gateway_messages, casino.payments, casino.cases,
  casino.effects, casino.deposit_events to casino;
grant update (status, confirmed_at, correlation_id, job_id, attempts, last_error, last_error_class, last_error_at,
  next_attempt_at, charged_back_at, credited_at, receipt_wallet_id, receipt_seq, receipt_real_before,
  receipt_real_after, receipt_bonus_before, receipt_bonus_after, receipt_recorded_at)
  on casino.deposits to casino;
grant update (result, reason, case_kind, handled_at, job_id) on casino.gateway_messages to casino;
grant update (closed_at, resolution) on casino.cases to casino;
grant update (job_id, attempts, last_error, published_at) on casino.effects to casino;

grant select on casino.deposits, casino.payments, casino.cases, casino.effects, casino.deposit_events
  to worker, auditor, oncall, support, supervisor;
-- A gateway's body may name the payer: it is read where evidence is, and
-- nowhere else.
grant select on casino.gateway_messages to auditor;
grant select (id, gateway, account, brand_id, dialect, event_id, event_type, deposit_id, payment_id, status, amount,
  currency, occurred_at, received_at, handled_at, result, reason, case_kind, job_id)
  on casino.gateway_messages to worker, oncall, support, supervisor;
