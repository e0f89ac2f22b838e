-- +goose Up

alter type casino.deposit_event_kind add value 'replayed';
alter type casino.withdrawal_event_kind add value 'replayed';

-- Who sees to a case, and who closed it: a login, or nobody yet.
alter table casino.cases
  add column owner       text,
  add column claimed_at  timestamptz,
  add column resolved_by text,
  add constraint cases_owner_check check ((owner is null) = (claimed_at is null)),
  add constraint cases_resolved_check check (resolved_by is null or closed_at is not null);

create type casino.case_event_kind as enum ('opened', 'claimed', 'released', 'noted', 'resolved', 'closed');

-- What happened to each case, with the login that did it: a person's, or that
-- of the service whose progress closed it.
create table casino.case_events (
  id      bigint generated always as identity,
  case_id bigint not null,
  at      timestamptz not null default clock_timestamp(),
  actor   text not null default session_user,
  kind    casino.case_event_kind not null,
  note    text,
  constraint case_events_pkey primary key (id),
  constraint case_events_case_id_fkey foreign key (case_id) references casino.cases (id),
  constraint case_events_note_check check (octet_length(note) <= 2000 and (kind <> 'noted' or coalesce(note, '') ~ '\S'))
);
create index case_events_case on casino.case_events (case_id, id);
insert into casino.case_events (case_id, at, kind) select id, opened_at, 'opened' from casino.cases order by id;
insert into casino.case_events (case_id, at, kind, note)
select id, closed_at, 'closed', resolution from casino.cases where closed_at is not null order by id;

-- The history is written by the database, so no way of opening or closing a
-- case can forget it.
-- +goose StatementBegin
create function casino.tell_case() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  if tg_op = 'INSERT' then
    insert into casino.case_events (case_id, kind) values (new.id, 'opened');
  elsif old.closed_at is null and new.closed_at is not null then
    insert into casino.case_events (case_id, kind, note)
    values (new.id, case when new.resolved_by is null then 'closed' else 'resolved' end::casino.case_event_kind, new.resolution);
  elsif old.owner is distinct from new.owner then
    insert into casino.case_events (case_id, kind, note)
    values (new.id, case when new.owner is null then 'released' else 'claimed' end::casino.case_event_kind,
      'was with ' || old.owner);
  end if;
  return null;
end
$$;
-- +goose StatementEnd
create trigger cases_told after insert or update on casino.cases
  for each row execute function casino.tell_case();
create trigger case_events_append_only before update or delete or truncate on casino.case_events
  for each statement execute function casino.refuse_change('the history is append-only');

-- Every replay that a person asked for, also where there was nothing to do.
create table casino.replays (
  id           bigint generated always as identity,
  at           timestamptz not null default clock_timestamp(),
  actor        text not null default session_user,
  subject_type text not null,
  subject_id   text not null,
  outcome      text not null,
  job_id       bigint,
  why          text not null,
  constraint replays_pkey primary key (id),
  constraint replays_text_check check (octet_length(why) <= 1000 and octet_length(subject_id) <= 700)
);
create index replays_subject on casino.replays (subject_type, subject_id, id);
create trigger replays_append_only before update or delete or truncate on casino.replays
  for each statement execute function casino.refuse_change('the history is append-only');

alter table casino.cases enable always trigger cases_told;
alter table casino.case_events enable always trigger case_events_append_only;
alter table casino.replays enable always trigger replays_append_only;

-- The one way for a person to act on a case: each records the login. A case
-- that another one sees to is taken over first, in so many words.
-- +goose StatementBegin
create function casino.lock_case(number bigint, mine boolean) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  found casino.cases;
begin
  select * into found from casino.cases where id = number for update;
  if found.id is null then
    raise exception 'there is no case casino-%', number using errcode = 'P0002';
  elsif found.closed_at is not null then
    raise exception 'case casino-% was closed by %: %', number, coalesce(found.resolved_by, 'its subject''s own progress'), found.resolution
      using errcode = 'WC001';
  elsif mine and found.owner <> session_user then
    raise exception 'case casino-% is with %', number, found.owner using errcode = 'WC002';
  end if;
end
$$;
-- +goose StatementEnd

-- +goose StatementBegin
create function casino.claim_case(number bigint, take_over boolean) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform casino.lock_case(number, take_over is not true);
  update casino.cases set owner = session_user, claimed_at = clock_timestamp()
  where id = number and owner is distinct from session_user;
end
$$;
-- +goose StatementEnd

-- +goose StatementBegin
create function casino.release_case(number bigint) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform casino.lock_case(number, true);
  update casino.cases set owner = null, claimed_at = null where id = number;
end
$$;
-- +goose StatementEnd

-- +goose StatementBegin
create function casino.note_case(number bigint, note text) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  if not exists (select from casino.cases where id = number) then
    raise exception 'there is no case casino-%', number using errcode = 'P0002';
  end if;
  insert into casino.case_events (case_id, kind, note) values (number, 'noted', note);
end
$$;
-- +goose StatementEnd

-- +goose StatementBegin
create function casino.resolve_case(number bigint, why text) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  if coalesce(why, '') !~ '\S' then
    raise exception 'a case is resolved with a reason' using errcode = '22023';
  end if;
  perform casino.lock_case(number, true);
  update casino.cases set closed_at = clock_timestamp(), resolution = why, resolved_by = session_user where id = number;
end
$$;
-- +goose StatementEnd

-- Sets a kept job back to work, as the queue itself does it: one more attempt
-- where all were used up, and a word to the workers, who would otherwise look
-- only when their second is over. What runs already is left alone.
-- +goose StatementBegin
create function casino.work_again(job bigint) returns text
language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
  was casino.river_job_state;
  lane text;
begin
  select state, queue into was, lane from casino.river_job where id = job for update;
  if was is null then
    return 'lost'; -- casino's sweep gives it a new one
  elsif was = 'running' or was = 'available' then
    return 'running';
  end if;
  update casino.river_job
  set state = 'available', scheduled_at = clock_timestamp(), finalized_at = null,
    max_attempts = greatest(max_attempts, attempt + 1), metadata = metadata - 'cancel_attempted_at'
  where id = job;
  perform pg_notify('casino.river_insert', json_build_object('queue', lane)::text);
  return 'queued';
end
$$;
-- +goose StatementEnd

-- replay_deposit has the kept job of a confirmed deposit work again. Sending
-- again is safe: gaming answers one that it credited with the first receipt.
-- What the gateway took back is never credited by a replay.
-- +goose StatementBegin
create function casino.replay_deposit(deposit text, why text, out outcome text, out job bigint, out after_event bigint)
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  d casino.deposits;
begin
  select * into d from casino.deposits where id = deposit for no key update;
  job := d.job_id;
  outcome := case
    when d.id is null then 'unknown'
    when d.status = 'credited' then 'done'
    when d.status <> 'confirmed' then 'not_due'
    when d.charged_back_at is not null then 'charged_back'
    else casino.work_again(d.job_id) end;
  select coalesce(max(id), 0) into after_event from casino.deposit_events where deposit_id = deposit;
  if outcome in ('queued', 'running', 'lost') then
    update casino.deposits set next_attempt_at = clock_timestamp() where id = deposit;
    insert into casino.deposit_events (deposit_id, kind, detail) values (deposit, 'replayed', session_user || ': ' || why);
  end if;
  insert into casino.replays (subject_type, subject_id, outcome, job_id, why)
  values ('deposit', deposit, outcome, job, why);
end
$$;
-- +goose StatementEnd

-- replay_withdrawal has the step done again that the withdrawal waits for: its
-- debit, the request for its payout, or its reversal. What was paid or given
-- back has none.
-- +goose StatementBegin
create function casino.replay_withdrawal(withdrawal text, why text, out outcome text, out job bigint, out after_event bigint)
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  w casino.withdrawals;
begin
  select * into w from casino.withdrawals where id = withdrawal for no key update;
  job := case w.status when 'requested' then w.debit_job_id when 'debited' then w.payout_job_id
    when 'rejected' then w.reversal_job_id end;
  outcome := case
    when w.id is null then 'unknown'
    when w.status in ('paid', 'reversed') then 'done'
    when w.status = 'debited' and w.payout_requested_at is not null then 'not_due'
    else casino.work_again(job) end;
  select coalesce(max(id), 0) into after_event from casino.withdrawal_events where withdrawal_id = withdrawal;
  if outcome in ('queued', 'running', 'lost') then
    update casino.withdrawals set next_attempt_at = clock_timestamp() where id = withdrawal;
    insert into casino.withdrawal_events (withdrawal_id, kind, detail)
    values (withdrawal, 'replayed', session_user || ': ' || why);
  end if;
  insert into casino.replays (subject_type, subject_id, outcome, job_id, why)
  values ('withdrawal', withdrawal, outcome, job, why);
end
$$;
-- +goose StatementEnd

-- replay_effect has an effect published again that could not be.
-- +goose StatementBegin
create function casino.replay_effect(deposit text, name text, why text, out outcome text, out job bigint, out after_event bigint)
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  e casino.effects;
begin
  select * into e from casino.effects where deposit_id = deposit and effect = name for no key update;
  job := e.job_id;
  outcome := case
    when e.deposit_id is null then 'unknown'
    when e.published_at is not null then 'done'
    else casino.work_again(e.job_id) end;
  select coalesce(max(id), 0) into after_event from casino.deposit_events where deposit_id = deposit;
  if outcome in ('queued', 'running', 'lost') then
    insert into casino.deposit_events (deposit_id, kind, detail)
    values (deposit, 'replayed', name || ', ' || session_user || ': ' || why);
  end if;
  insert into casino.replays (subject_type, subject_id, outcome, job_id, why)
  values ('effect', deposit || '/' || name, outcome, job, why);
end
$$;
-- +goose StatementEnd

revoke execute on function casino.tell_case, casino.lock_case, casino.work_again, casino.claim_case, casino.release_case,
  casino.note_case, casino.resolve_case, casino.replay_deposit, casino.replay_withdrawal, casino.replay_effect from public;
grant execute on function casino.claim_case, casino.release_case, casino.note_case, casino.resolve_case,
  casino.replay_deposit, casino.replay_withdrawal, casino.replay_effect to oncall, supervisor;
grant select on casino.case_events, casino.replays to casino, worker, auditor, oncall, support, supervisor;

-- What is stuck is found by its open case: the list of thousands is read off
-- one small index.
create index cases_opened on casino.cases (opened_at, id) where closed_at is null;
