-- +goose Up

-- Where a withdrawal is. The legal moves are enforced below, whoever asks.
create type casino.withdrawal_status as enum ('requested', 'debited', 'paid', 'rejected', 'reversed');

-- What the history of a withdrawal tells.
create type casino.withdrawal_event_kind as enum (
  'requested', 'debited', 'paid', 'rejected', 'reversed',
  'debit_failed', 'reversal_failed', 'payout_requested', 'payout_failed', 'case_opened', 'case_closed', 'job_restored');

alter type casino.case_kind add value 'unknown_withdrawal';
alter type casino.case_kind add value 'debit_exhausted';
alter type casino.case_kind add value 'debit_invalid';
alter type casino.case_kind add value 'reversal_exhausted';
alter type casino.case_kind add value 'reversal_invalid';
alter type casino.case_kind add value 'payout_exhausted';
alter type casino.case_kind add value 'payout_unnamed';
alter type casino.case_kind add value 'payout_reused';
alter type casino.case_kind add value 'second_payout';
alter type casino.case_kind add value 'paid_before_debit';
alter type casino.case_kind add value 'paid_after_rejection';
alter type casino.case_kind add value 'rejected_after_paid';

-- One row a withdrawal, for ever. As with deposits, ids sort by creation.
create table casino.withdrawals (
  id               text collate "C" not null,
  status           casino.withdrawal_status not null default 'requested',
  brand_id         casino.name not null,
  user_id          casino.given_id not null,
  currency         casino.currency not null,
  amount           casino.paid_amount not null,
  gateway          casino.name not null,
  account          casino.name not null,
  -- Where the money goes, as the payout's side knows it: a token, no account
  -- number.
  destination      casino.given_id not null,
  idempotency_key  casino.given_id not null,
  correlation_id   casino.given_id not null,
  created_at       timestamptz not null,
  -- The jobs that debit it, have it paid and give it back. Not foreign keys:
  -- the queue cleans its table, and a job that is gone is what the sweep looks
  -- for.
  debit_job_id     bigint not null,
  payout_job_id    bigint,
  reversal_job_id  bigint,
  attempts         integer not null default 0,
  last_error       text,
  last_error_class text,
  last_error_at    timestamptz,
  next_attempt_at  timestamptz,
  debited_at          timestamptz,
  payout_requested_at timestamptz,
  paid_at             timestamptz,
  rejected_at         timestamptz,
  -- Why it was rejected: the wallet's refusal, or the gateway's own word.
  reason              text,
  reversed_at         timestamptz,
  -- gaming's receipts, of the debit and of what gave it back.
  receipt_wallet_id    uuid,
  receipt_seq          bigint,
  receipt_real_before  numeric(18,8),
  receipt_real_after   numeric(18,8),
  receipt_bonus_before numeric(18,8),
  receipt_bonus_after  numeric(18,8),
  receipt_recorded_at  timestamptz,
  reversal_wallet_id    uuid,
  reversal_seq          bigint,
  reversal_real_before  numeric(18,8),
  reversal_real_after   numeric(18,8),
  reversal_bonus_before numeric(18,8),
  reversal_bonus_after  numeric(18,8),
  reversal_recorded_at  timestamptz,
  constraint withdrawals_pkey primary key (id),
  -- The caller's own key: a resent request finds the withdrawal that it made.
  constraint withdrawals_idempotency_key unique (brand_id, idempotency_key),
  constraint withdrawals_id_check check (id ~ '^[A-Za-z0-9_-]{1,64}$'),
  constraint withdrawals_attempts_check check (attempts >= 0),
  constraint withdrawals_error_check check (
    (last_error is null) = (last_error_at is null) and (last_error is null) = (last_error_class is null)
    and octet_length(last_error) <= 2000 and octet_length(reason) <= 2000),
  -- Its receipt says that exactly the amount was taken from real, or there is
  -- none. Only with it can a payout be asked for.
  constraint withdrawals_debited_check check (
    num_nulls(debited_at, payout_job_id, receipt_wallet_id, receipt_seq, receipt_real_before, receipt_real_after,
      receipt_bonus_before, receipt_bonus_after, receipt_recorded_at) in (0, 9)
    and (status not in ('debited', 'paid') or debited_at is not null)
    and (status <> 'requested' or debited_at is null)
    and (payout_requested_at is null or debited_at is not null)
    and receipt_real_before - receipt_real_after = amount and receipt_bonus_after = receipt_bonus_before),
  constraint withdrawals_paid_check check ((status = 'paid') = (paid_at is not null)),
  -- A rejection has its reason and the job that gives the money back, in the
  -- same row and the same transaction.
  constraint withdrawals_rejected_check check (
    (status in ('rejected', 'reversed')) = (rejected_at is not null)
    and num_nulls(rejected_at, reason, reversal_job_id) in (0, 3)),
  -- What was given back is what was taken; or nothing was taken, and never
  -- will be.
  constraint withdrawals_reversed_check check (
    (status = 'reversed') = (reversed_at is not null)
    and num_nulls(reversed_at, reversal_wallet_id, reversal_seq, reversal_real_before, reversal_real_after,
      reversal_bonus_before, reversal_bonus_after, reversal_recorded_at) in (0, 8)
    and reversal_bonus_after = reversal_bonus_before
    and (reversal_real_after - reversal_real_before = amount
      or (reversal_real_after = reversal_real_before and receipt_seq is null)))
) with (fillfactor = 80);

-- The sweep, and everyone who asks what is stuck, finds what is on its way.
create index withdrawals_open on casino.withdrawals (created_at) where status in ('requested', 'debited', 'rejected');
-- Support looks a player up.
create index withdrawals_user on casino.withdrawals (brand_id, user_id, id);

-- Which payout paid which withdrawal: each payout once, each withdrawal once.
create table casino.payouts (
  gateway       casino.name not null,
  account       casino.name not null,
  payout_id     casino.given_id not null,
  withdrawal_id text collate "C" not null,
  amount        casino.paid_amount not null,
  currency      casino.currency not null,
  message_id    casino.given_id not null,
  occurred_at   timestamptz,
  recorded_at   timestamptz not null default clock_timestamp(),
  constraint payouts_pkey primary key (gateway, account, payout_id),
  constraint payouts_withdrawal_id_key unique (withdrawal_id),
  constraint payouts_withdrawal_id_fkey foreign key (withdrawal_id) references casino.withdrawals (id)
);

-- The history of each withdrawal.
create table casino.withdrawal_events (
  id            bigint generated always as identity,
  withdrawal_id text collate "C" not null,
  at            timestamptz not null default clock_timestamp(),
  kind          casino.withdrawal_event_kind not null,
  from_status   casino.withdrawal_status,
  to_status     casino.withdrawal_status,
  attempt       integer,
  error_class   text,
  detail        text, -- an error's text, a reason, the kind of a case
  message_id    text,
  constraint withdrawal_events_pkey primary key (id),
  constraint withdrawal_events_withdrawal_id_fkey foreign key (withdrawal_id) references casino.withdrawals (id),
  constraint withdrawal_events_detail_check check (octet_length(detail) <= 2000)
);

create index withdrawal_events_withdrawal on casino.withdrawal_events (withdrawal_id, id);

-- A message is about a deposit or about a withdrawal.
alter table casino.gateway_messages
  add column withdrawal_id text not null default '',
  drop constraint gateway_messages_status_check,
  add constraint gateway_messages_status_check check (
    status in ('pending', 'confirmed', 'failed', 'expired', 'chargeback', 'paid', 'rejected', 'other')),
  add constraint gateway_messages_subject_check check (
    (deposit_id = '' or withdrawal_id = '')
    and octet_length(withdrawal_id) <= 255 and withdrawal_id !~ '[\x01-\x1f\x7f]');
create index gateway_messages_withdrawal on casino.gateway_messages (withdrawal_id, received_at) where withdrawal_id <> '';

alter table casino.cases
  drop constraint cases_subject_check,
  add constraint cases_subject_check check (
    subject_type in ('deposit', 'withdrawal', 'payment', 'message', 'effect')
    and subject_id <> '' and octet_length(subject_id) <= 700);
