-- +goose Up

-- Where a deposit is. The legal moves are enforced below, whoever asks.
create type casino.deposit_status as enum ('pending', 'confirmed', 'credited', 'expired', 'failed');

-- What came of a gateway's message. Only 'unmatched' is not the end: the
-- deposit may be created a moment later.
create type casino.message_result as enum ('applied', 'skipped', 'unmatched', 'case_opened');

-- Why a person has to look.
create type casino.case_kind as enum (
  'unknown_deposit', 'brand_mismatch', 'gateway_mismatch', 'currency_mismatch', 'amount_mismatch',
  'payment_unnamed', 'payment_reused', 'second_payment', 'chargeback',
  'credit_exhausted', 'credit_invalid', 'key_conflict', 'effect_exhausted');

-- What the history of a deposit tells.
create type casino.deposit_event_kind as enum (
  'created', 'confirmed', 'failed', 'expired', 'credited',
  'credit_failed', 'case_opened', 'case_closed', 'job_restored', 'effect_published', 'effect_failed');

-- An identifier as an outside party gave it: opaque, bounded, no control
-- characters, no blanks at its ends. The programs check the same and say which
-- field is wrong; this holds when they forget.
create domain casino.given_id as text check (
  value <> '' and octet_length(value) <= 255 and value = btrim(value) and value !~ '[\x01-\x1f\x7f]');

-- The same for the names of brands, gateways and accounts.
create domain casino.name as text check (
  value <> '' and octet_length(value) <= 64 and value = btrim(value) and value !~ '[\x01-\x1f\x7f]');

create domain casino.currency as text check (value ~ '^[A-Z][A-Z0-9]{2,9}$');

-- An amount that somebody pays. NaN is greater than every number, so a lower
-- bound alone lets it in.
create domain casino.paid_amount as numeric(18,8) check (value > 0 and value <> 'NaN');

-- One row a deposit, for ever. The id is made of a UUID version 7, so its order
-- is the order of creation, byte by byte: lists page on the primary key.
create table casino.deposits (
  id               text collate "C" not null,
  status           casino.deposit_status not null default 'pending',
  brand_id         casino.name not null,
  user_id          casino.given_id not null,
  currency         casino.currency not null,
  amount           casino.paid_amount not null,
  gateway          casino.name not null,
  account          casino.name not null,
  idempotency_key  casino.given_id not null,
  created_at       timestamptz not null,
  expires_at       timestamptz not null,
  confirmed_at     timestamptz,
  -- The message that confirmed it; follows the money through every service.
  correlation_id   casino.given_id,
  -- The job that credits it. Not a foreign key: the queue cleans its table,
  -- and a job that is gone is what the sweep looks for.
  job_id           bigint,
  attempts         integer not null default 0,
  last_error       text,
  last_error_class text,
  last_error_at    timestamptz,
  next_attempt_at  timestamptz,
  -- The gateway said that the money goes back. A confirmation that arrives
  -- after it credits nothing.
  charged_back_at  timestamptz,
  credited_at      timestamptz,
  -- gaming's receipt, the lasting answer: kind and external id are 'deposit'
  -- and the id of this row.
  receipt_wallet_id    uuid,
  receipt_seq          bigint,
  receipt_real_before  numeric(18,8),
  receipt_real_after   numeric(18,8),
  receipt_bonus_before numeric(18,8),
  receipt_bonus_after  numeric(18,8),
  receipt_recorded_at  timestamptz,
  constraint deposits_pkey primary key (id),
  -- The caller's own key: a resent request finds the deposit that it made.
  constraint deposits_idempotency_key unique (brand_id, idempotency_key),
  constraint deposits_id_check check (id ~ '^[A-Za-z0-9_-]{1,64}$'),
  constraint deposits_attempts_check check (attempts >= 0),
  constraint deposits_error_check check (
    (last_error is null) = (last_error_at is null) and (last_error is null) = (last_error_class is null)
    and octet_length(last_error) <= 2000),
  -- A confirmed deposit has its job, in the same row and the same transaction.
  constraint deposits_confirmed_check check (
    (status in ('confirmed', 'credited')) = (confirmed_at is not null)
    and (confirmed_at is null) = (job_id is null)
    and (confirmed_at is null) = (correlation_id is null)),
  -- Credited if and only if the whole receipt is there, and it says this amount.
  constraint deposits_credited_check check (
    (status = 'credited') = (credited_at is not null)
    and (status = 'credited') = (num_nulls(receipt_wallet_id, receipt_seq, receipt_real_before, receipt_real_after,
      receipt_bonus_before, receipt_bonus_after, receipt_recorded_at) = 0)
    and (status = 'credited' or num_nonnulls(receipt_wallet_id, receipt_seq, receipt_real_before, receipt_real_after,
      receipt_bonus_before, receipt_bonus_after, receipt_recorded_at) = 0)
    and (status <> 'credited' or (next_attempt_at is null
      and receipt_real_after - receipt_real_before = amount and receipt_bonus_after = receipt_bonus_before)))
) with (fillfactor = 80);

-- Expiry finds what is due, a brand at a time; rows leave it as they move on.
create index deposits_pending on casino.deposits (brand_id, expires_at) where status = 'pending';
-- The sweep, and everyone who asks what is stuck, finds what is not credited yet.
create index deposits_confirmed on casino.deposits (confirmed_at) where status = 'confirmed';
-- Support looks a player up.
create index deposits_user on casino.deposits (brand_id, user_id, id);

-- The inbox: every message that a gateway delivered and that was let in, for
-- ever. The id is ours, one for each delivery accepted at the door, and the
-- broker's message id: a message that the queue delivers again is one row.
create table casino.gateway_messages (
  id          casino.given_id not null,
  gateway     casino.name not null,
  account     casino.name not null,
  brand_id    casino.name not null,
  dialect     text not null,
  event_id    text not null,
  event_type  text not null,
  -- As the gateway returned it: no foreign key, the deposit may not exist.
  deposit_id  text not null,
  payment_id  text not null,
  status      text not null,
  amount      numeric(18,8) not null,
  currency    text not null,
  occurred_at timestamptz,
  received_at timestamptz not null,
  handled_at  timestamptz not null default clock_timestamp(),
  result      casino.message_result not null,
  reason      text not null,
  case_kind   casino.case_kind,
  -- The job that looks for the deposit again.
  job_id      bigint,
  body        bytea not null,
  constraint gateway_messages_pkey primary key (id),
  constraint gateway_messages_status_check check (
    status in ('pending', 'confirmed', 'failed', 'expired', 'chargeback', 'other')),
  constraint gateway_messages_amount_check check (amount >= 0 and amount <> 'NaN'),
  constraint gateway_messages_text_check check (
    octet_length(event_id) <= 255 and octet_length(event_type) <= 255 and octet_length(dialect) <= 64
    and octet_length(deposit_id) <= 255 and octet_length(payment_id) <= 255 and octet_length(reason) <= 2000
    and concat(event_id, event_type, dialect, deposit_id, payment_id) !~ '[\x01-\x1f\x7f]'),
  constraint gateway_messages_case_check check ((result = 'case_opened') = (case_kind is not null)),
  constraint gateway_messages_job_check check (result <> 'unmatched' or job_id is not null),
  constraint gateway_messages_body_check check (octet_length(body) <= 1048576)
);

-- A deposit's timeline, and the messages that name an unknown one.
create index gateway_messages_deposit on casino.gateway_messages (deposit_id, received_at) where deposit_id <> '';
-- What the sweep has to look at; nearly always empty.
create index gateway_messages_unmatched on casino.gateway_messages (received_at) where result = 'unmatched';

-- Which payment paid which deposit: each payment once, each deposit once. The
-- keys have the last word when two deliveries race.
create table casino.payments (
  gateway     casino.name not null,
  account     casino.name not null,
  payment_id  casino.given_id not null,
  deposit_id  text collate "C" not null,
  amount      casino.paid_amount not null,
  currency    casino.currency not null,
  message_id  casino.given_id not null,
  occurred_at timestamptz,
  recorded_at timestamptz not null default clock_timestamp(),
  constraint payments_pkey primary key (gateway, account, payment_id),
  constraint payments_deposit_id_key unique (deposit_id),
  constraint payments_deposit_id_fkey foreign key (deposit_id) references casino.deposits (id)
);

-- Work for a person. The subject is what it is about: a deposit (also one that
-- does not exist), a payment, a message or an effect; no foreign key therefore.
create table casino.cases (
  id           bigint generated always as identity,
  brand_id     casino.name not null,
  subject_type text not null,
  subject_id   text not null,
  kind         casino.case_kind not null,
  -- The message or the attempt of a job that opened it: the sweep does not
  -- open it again after a person closed it.
  cause        text not null,
  -- What was expected and what was found, for the person; no personal data.
  detail       jsonb not null,
  opened_at    timestamptz not null default clock_timestamp(),
  closed_at    timestamptz,
  resolution   text,
  constraint cases_pkey primary key (id),
  constraint cases_subject_check check (
    subject_type in ('deposit', 'payment', 'message', 'effect') and subject_id <> '' and octet_length(subject_id) <= 700),
  constraint cases_text_check check (octet_length(cause) <= 320 and octet_length(resolution) <= 2000),
  constraint cases_closed_check check ((closed_at is null) = (resolution is null))
);

-- One open case for one thing: a message repeated for days is one line of work.
-- It also lists what is open.
create unique index cases_open on casino.cases (subject_type, subject_id, kind) where closed_at is null;
-- The sweep asks whether this very failure was seen; people ask what was before.
create index cases_subject on casino.cases (subject_type, subject_id);

-- What a confirmation sets off outside, each once: the row is written by the
-- delivery that won the transition and never again.
create table casino.effects (
  deposit_id   text collate "C" not null,
  effect       casino.name not null,
  recorded_at  timestamptz not null default clock_timestamp(),
  job_id       bigint not null,
  attempts     integer not null default 0,
  last_error   text,
  published_at timestamptz,
  constraint effects_pkey primary key (deposit_id, effect),
  constraint effects_deposit_id_fkey foreign key (deposit_id) references casino.deposits (id),
  constraint effects_error_check check (octet_length(last_error) <= 2000)
);

-- The sweep looks at what is not published; nearly always empty.
create index effects_unpublished on casino.effects (recorded_at) where published_at is null;

-- The history of each deposit: every transition and every attempt to credit.
create table casino.deposit_events (
  id          bigint generated always as identity,
  deposit_id  text collate "C" not null,
  at          timestamptz not null default clock_timestamp(),
  kind        casino.deposit_event_kind not null,
  from_status casino.deposit_status,
  to_status   casino.deposit_status,
  attempt     integer,
  error_class text,
  -- An error's text, the kind of a case, the name of an effect.
  detail      text,
  message_id  text,
  constraint deposit_events_pkey primary key (id),
  constraint deposit_events_deposit_id_fkey foreign key (deposit_id) references casino.deposits (id),
  constraint deposit_events_detail_check check (octet_length(detail) <= 2000),
  constraint deposit_events_error_check check (kind <> 'credit_failed' or (error_class is not null and detail is not null and attempt is not null))
);

create index deposit_events_deposit on casino.deposit_events (deposit_id, id);
