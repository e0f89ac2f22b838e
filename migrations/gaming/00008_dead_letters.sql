-- +goose Up

-- What gaming's queue gave up on, kept here so that a full broker, an upgrade
-- of it or a queue that somebody empties does not lose it.
create type gaming.dead_letter_state as enum ('kept', 'requeue_asked', 'requeued', 'discarded');

create table gaming.dead_letters (
  id             bigint generated always as identity,
  -- Of the whole message and of how it died: one that is delivered again,
  -- because its keeper died before it could acknowledge it, is one row.
  digest         bytea not null,
  queue          text not null,
  -- As it was first published.
  exchange       text not null,
  routing_key    text not null,
  message_id     text not null,
  type           text not null,
  correlation_id text not null,
  -- Who sent it first, as the broker has checked; empty where nobody said.
  user_id        text not null,
  content_type   text not null,
  sent_at        timestamptz,
  reason         text not null,
  deaths         integer not null,
  first_death_at timestamptz not null,
  last_death_at  timestamptz not null,
  headers        jsonb not null,
  body           bytea not null,
  body_size      bigint not null,
  -- What is kept is not the whole message: its body was too long, or one of its
  -- texts is none that a database takes.
  cut            boolean not null,
  kept_at        timestamptz not null default clock_timestamp(),
  state          gaming.dead_letter_state not null default 'kept',
  -- The last person's act, and what came of it.
  handled_by     text,
  handled_at     timestamptz,
  note           text,
  error          text,
  constraint dead_letters_pkey primary key (id),
  constraint dead_letters_digest_key unique (digest),
  constraint dead_letters_digest_check check (octet_length(digest) = 32),
  constraint dead_letters_body_check check (octet_length(body) <= 1048576 and (cut or body_size = octet_length(body))),
  constraint dead_letters_deaths_check check (deaths > 0 and first_death_at <= last_death_at),
  constraint dead_letters_text_check check (octet_length(reason) <= 2000 and octet_length(error) <= 2000
    and octet_length(note) <= 2000 and note ~ '\S'),
  constraint dead_letters_handled_check check ((handled_by is null) = (handled_at is null)
    and (handled_by is null) = (note is null) and (state = 'kept' or handled_by is not null))
);
-- A body is hardly ever read: a list of thousands must not be.
alter table gaming.dead_letters alter column body set storage external;
create index dead_letters_listed on gaming.dead_letters (state, kept_at, id);

-- What happened to each letter after it was kept, with the login that did it: a
-- person's, or that of the service which sent it.
create table gaming.dead_letter_events (
  id        bigint generated always as identity,
  letter_id bigint not null,
  at        timestamptz not null default clock_timestamp(),
  actor     text not null default session_user,
  state     gaming.dead_letter_state not null,
  note      text,
  constraint dead_letter_events_pkey primary key (id),
  constraint dead_letter_events_letter_id_fkey foreign key (letter_id) references gaming.dead_letters (id)
);
create index dead_letter_events_letter on gaming.dead_letter_events (letter_id, id);

-- A letter is evidence. A person asks for what becomes of it, each time with
-- the own login and a note; the service only says what came of that.
-- +goose StatementBegin
create function gaming.move_dead_letter() returns trigger
language plpgsql as $$
begin
  if (old.state, new.state) in (('kept', 'requeue_asked'), ('kept', 'discarded')) then
    if new.handled_by = session_user and new.handled_at > coalesce(old.handled_at, '-infinity') and new.error is null then
      return new;
    end if;
  elsif (old.state, new.state) in (('requeue_asked', 'requeued'), ('requeue_asked', 'kept')) then
    if (old.handled_by, old.handled_at, old.note) is not distinct from (new.handled_by, new.handled_at, new.note)
      and (new.state = 'kept') = (new.error is not null) then
      return new;
    end if;
  end if;
  raise exception 'dead letter % does not go from % to % like this', old.id, old.state, new.state using errcode = 'WC002';
end
$$;
-- +goose StatementEnd
create trigger dead_letters_moves before update on gaming.dead_letters
  for each row execute function gaming.move_dead_letter();
create trigger dead_letters_fixed before update on gaming.dead_letters
  for each row when (
    (old.id, old.digest, old.queue, old.exchange, old.routing_key, old.message_id, old.type, old.correlation_id,
      old.user_id, old.content_type, old.sent_at, old.reason, old.deaths, old.first_death_at, old.last_death_at,
      old.headers, old.body, old.body_size, old.cut, old.kept_at)
      is distinct from
    (new.id, new.digest, new.queue, new.exchange, new.routing_key, new.message_id, new.type, new.correlation_id,
      new.user_id, new.content_type, new.sent_at, new.reason, new.deaths, new.first_death_at, new.last_death_at,
      new.headers, new.body, new.body_size, new.cut, new.kept_at))
  execute function gaming.refuse_change('a dead letter is evidence');
create trigger dead_letters_kept before delete or truncate on gaming.dead_letters
  for each statement execute function gaming.refuse_change('dead letters are never deleted');

-- +goose StatementBegin
create function gaming.tell_dead_letter() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  insert into gaming.dead_letter_events (letter_id, state, note)
  values (new.id, new.state, case when new.state in ('requeue_asked', 'discarded') then new.note else new.error end);
  return null;
end
$$;
-- +goose StatementEnd
create trigger dead_letters_told after update on gaming.dead_letters
  for each row execute function gaming.tell_dead_letter();
create trigger dead_letter_events_append_only before update or delete or truncate on gaming.dead_letter_events
  for each statement execute function gaming.refuse_change('the history is append-only');

alter table gaming.dead_letters enable always trigger dead_letters_moves;
alter table gaming.dead_letters enable always trigger dead_letters_fixed;
alter table gaming.dead_letters enable always trigger dead_letters_kept;
alter table gaming.dead_letters enable always trigger dead_letters_told;
alter table gaming.dead_letter_events enable always trigger dead_letter_events_append_only;

-- The one way for a person to act on a letter. What another one did already is
-- said with name and time, and not done again.
-- +goose StatementBegin
create function gaming.lock_dead(number bigint, why text) returns gaming.dead_letters
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  found gaming.dead_letters;
begin
  if coalesce(why, '') !~ '\S' then
    raise exception 'a dead letter is handled with a note' using errcode = '22023';
  end if;
  select * into found from gaming.dead_letters where id = number for update;
  if found.id is null then
    raise exception 'there is no dead letter gaming-%', number using errcode = 'P0002';
  elsif found.state <> 'kept' then
    raise exception 'dead letter gaming-% was % by % at %: %', number,
      case found.state when 'discarded' then 'discarded' else 'requeued' end, found.handled_by,
      to_char(found.handled_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'), found.note
      using errcode = 'WC001';
  end if;
  return found;
end
$$;
-- +goose StatementEnd

-- A call is not sent again: only casino may ask, and its caller is gone. What it
-- asked for is.
-- +goose StatementBegin
create function gaming.requeue_dead(number bigint, why text) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform gaming.lock_dead(number, why);
  raise exception 'dead letter gaming-% is a call, whose caller is gone: replay the deposit or the withdrawal instead', number
    using errcode = 'WC003';
end
$$;
-- +goose StatementEnd

-- discard_dead says that nothing is to be done about a letter. It stays.
-- +goose StatementBegin
create function gaming.discard_dead(number bigint, why text) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform gaming.lock_dead(number, why);
  update gaming.dead_letters
  set state = 'discarded', handled_by = session_user, handled_at = clock_timestamp(), note = why, error = null
  where id = number;
end
$$;
-- +goose StatementEnd

revoke execute on function gaming.move_dead_letter, gaming.tell_dead_letter, gaming.lock_dead, gaming.requeue_dead,
  gaming.discard_dead from public;
grant execute on function gaming.requeue_dead, gaming.discard_dead to oncall, supervisor;

-- gaming keeps letters; what becomes of them, it cannot write.
grant insert (digest, queue, exchange, routing_key, message_id, type, correlation_id, user_id, content_type, sent_at,
  reason, deaths, first_death_at, last_death_at, headers, body, body_size, cut) on gaming.dead_letters to gaming;
grant select (id, digest) on gaming.dead_letters to gaming;
-- A body may name a payer, and headers may hold anything: they are read by who
-- has to decide.
grant select on gaming.dead_letters to auditor, oncall, supervisor;
grant select (id, queue, exchange, routing_key, message_id, type, correlation_id, user_id, content_type, sent_at, reason,
  deaths, first_death_at, last_death_at, body_size, cut, kept_at, state, handled_by, handled_at, note, error)
  on gaming.dead_letters to worker, support;
grant select on gaming.dead_letter_events to gaming, worker, auditor, oncall, support, supervisor;
