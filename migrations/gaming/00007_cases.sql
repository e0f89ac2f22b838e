-- +goose Up

-- Work for a person that the wallet itself found: a movement that it could not
-- or would not post, and that somebody has to look at. As with casino's cases,
-- one is open for one thing and kind, and nothing is deleted.
create table gaming.cases (
  id           bigint generated always as identity,
  brand_id     text not null,
  subject_type text not null,
  subject_id   text not null,
  kind         text not null,
  cause        text not null,
  -- What was expected and what was found, for the person; no personal data.
  detail       jsonb not null,
  opened_at    timestamptz not null default clock_timestamp(),
  owner        text,
  claimed_at   timestamptz,
  closed_at    timestamptz,
  resolution   text,
  resolved_by  text,
  constraint cases_pkey primary key (id),
  constraint cases_kind_check check (kind in ('key_conflict', 'balance_overflow', 'reversal_refused')),
  constraint cases_subject_check check (
    subject_type in ('movement', 'wallet') and subject_id <> '' and octet_length(subject_id) <= 700),
  constraint cases_text_check check (octet_length(cause) <= 700 and octet_length(resolution) <= 2000),
  constraint cases_closed_check check ((closed_at is null) = (resolution is null)),
  constraint cases_owner_check check ((owner is null) = (claimed_at is null)),
  constraint cases_resolved_check check (resolved_by is null or closed_at is not null)
);
create unique index cases_open on gaming.cases (subject_type, subject_id, kind) where closed_at is null;
create index cases_opened on gaming.cases (opened_at, id) where closed_at is null;
create index cases_subject on gaming.cases (subject_type, subject_id);

create type gaming.case_event_kind as enum ('opened', 'claimed', 'released', 'noted', 'resolved', 'closed');

-- What happened to each case, with the login that did it: a person's, or that
-- of the service whose progress closed it.
create table gaming.case_events (
  id      bigint generated always as identity,
  case_id bigint not null,
  at      timestamptz not null default clock_timestamp(),
  actor   text not null default session_user,
  kind    gaming.case_event_kind not null,
  note    text,
  constraint case_events_pkey primary key (id),
  constraint case_events_case_id_fkey foreign key (case_id) references gaming.cases (id),
  constraint case_events_note_check check (octet_length(note) <= 2000 and (kind <> 'noted' or coalesce(note, '') ~ '\S'))
);
create index case_events_case on gaming.case_events (case_id, id);
-- The history is written by the database, so no way of opening or closing a
-- case can forget it.
-- +goose StatementBegin
create function gaming.tell_case() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  if tg_op = 'INSERT' then
    insert into gaming.case_events (case_id, kind) values (new.id, 'opened');
  elsif old.closed_at is null and new.closed_at is not null then
    insert into gaming.case_events (case_id, kind, note)
    values (new.id, case when new.resolved_by is null then 'closed' else 'resolved' end::gaming.case_event_kind, new.resolution);
  elsif old.owner is distinct from new.owner then
    insert into gaming.case_events (case_id, kind, note)
    values (new.id, case when new.owner is null then 'released' else 'claimed' end::gaming.case_event_kind,
      'was with ' || old.owner);
  end if;
  return null;
end
$$;
-- +goose StatementEnd
create trigger cases_told after insert or update on gaming.cases
  for each row execute function gaming.tell_case();
create trigger case_events_append_only before update or delete or truncate on gaming.case_events
  for each statement execute function gaming.refuse_change('the history is append-only');

create trigger cases_fixed before update on gaming.cases
  for each row when (old.closed_at is not null
    or (old.id, old.brand_id, old.subject_type, old.subject_id, old.kind, old.cause, old.detail, old.opened_at)
      is distinct from
    (new.id, new.brand_id, new.subject_type, new.subject_id, new.kind, new.cause, new.detail, new.opened_at))
  execute function gaming.refuse_change('a case is not rewritten');
create trigger cases_kept before delete or truncate on gaming.cases
  for each statement execute function gaming.refuse_change('cases are never deleted');
alter table gaming.cases enable always trigger cases_fixed;
alter table gaming.cases enable always trigger cases_kept;
alter table gaming.cases enable always trigger cases_told;
alter table gaming.case_events enable always trigger case_events_append_only;

-- The one way for a person to act on a case: each records the login. A case
-- that another one sees to is taken over first, in so many words.
-- +goose StatementBegin
create function gaming.lock_case(number bigint, mine boolean) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  found gaming.cases;
begin
  select * into found from gaming.cases where id = number for update;
  if found.id is null then
    raise exception 'there is no case gaming-%', number using errcode = 'P0002';
  elsif found.closed_at is not null then
    raise exception 'case gaming-% was closed by %: %', number, coalesce(found.resolved_by, 'gaming'), found.resolution
      using errcode = 'WC001';
  elsif mine and found.owner <> session_user then
    raise exception 'case gaming-% is with %', number, found.owner using errcode = 'WC002';
  end if;
end
$$;
-- +goose StatementEnd

-- +goose StatementBegin
create function gaming.claim_case(number bigint, take_over boolean) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform gaming.lock_case(number, take_over is not true);
  update gaming.cases set owner = session_user, claimed_at = clock_timestamp()
  where id = number and owner is distinct from session_user;
end
$$;
-- +goose StatementEnd

-- +goose StatementBegin
create function gaming.release_case(number bigint) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform gaming.lock_case(number, true);
  update gaming.cases set owner = null, claimed_at = null where id = number;
end
$$;
-- +goose StatementEnd

-- +goose StatementBegin
create function gaming.note_case(number bigint, note text) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  if not exists (select from gaming.cases where id = number) then
    raise exception 'there is no case gaming-%', number using errcode = 'P0002';
  end if;
  insert into gaming.case_events (case_id, kind, note) values (number, 'noted', note);
end
$$;
-- +goose StatementEnd

-- +goose StatementBegin
create function gaming.resolve_case(number bigint, why text) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  if coalesce(why, '') !~ '\S' then
    raise exception 'a case is resolved with a reason' using errcode = '22023';
  end if;
  perform gaming.lock_case(number, true);
  update gaming.cases set closed_at = clock_timestamp(), resolution = why, resolved_by = session_user where id = number;
end
$$;
-- +goose StatementEnd

revoke execute on function gaming.tell_case, gaming.lock_case, gaming.claim_case, gaming.release_case,
  gaming.note_case, gaming.resolve_case from public;
grant execute on function gaming.claim_case, gaming.release_case, gaming.note_case, gaming.resolve_case
  to oncall, supervisor;
grant select, insert on gaming.cases to gaming;
grant select on gaming.cases, gaming.case_events to gaming, worker, auditor, oncall, support, supervisor;
