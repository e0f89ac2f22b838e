-- The roles of a cluster. Run once a cluster, as a superuser, with
-- `walletctl migrate roles`; running it again changes nothing that is right.
-- Passwords are given outside: a role without one cannot log in under scram.

do $$
declare
  name text;
begin
  -- Two clusters' worth of migrators may start at once; the loser of a race
  -- finds the role there, which is what it wanted.
  foreach name in array array['wallet_owner', 'gaming', 'casino', 'worker', 'auditor', 'backfill'] loop
    begin
      execute format('create role %I login', name);
    exception when duplicate_object or unique_violation then null;
    end;
  end loop;
  -- Personal logins are members of these; nobody logs in as them.
  foreach name in array array['oncall', 'support', 'supervisor'] loop
    begin
      execute format('create role %I nologin', name);
    exception when duplicate_object or unique_violation then null;
    end;
  end loop;
end
$$;

-- Time limits nest: lock 1 s < statement 2 s < a provider's answer 2.5 s. They
-- belong to the role, so that they hold behind a pooler in transaction mode.
alter role gaming set lock_timeout = '1s';
alter role gaming set statement_timeout = '2s';
alter role gaming set idle_in_transaction_session_timeout = '5s';
alter role casino set lock_timeout = '2s';
alter role casino set statement_timeout = '10s';
alter role casino set idle_in_transaction_session_timeout = '15s';

-- Every statement on the money path finds its rows by key. A plan that was
-- made while a table was small, and scans it, would stay in use when the table
-- has grown: forbid it, and keep one generic plan a statement.
alter role gaming set enable_seqscan = off;
alter role gaming set plan_cache_mode = force_generic_plan;
-- Statements of a millisecond have nothing to gain from it; and where a scan
-- cannot be avoided, as on a catalog, forbidding it makes the plan look costly
-- enough to be compiled, for a second.
alter role gaming set jit = off;
alter role casino set jit = off;

-- The checker runs on a replica and asks the receiver how far it has come.
grant pg_monitor to auditor;
grant pg_monitor to worker;
