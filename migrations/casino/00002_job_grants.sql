-- +goose Up

grant usage on schema casino to casino, worker, auditor, oncall, support, supervisor;
grant select on casino.schema_version to casino, worker, auditor;

-- The job queue (River) keeps its own tables; casino works them. Jobs are
-- deleted by its cleaner once they are done, never when they were given up.
grant select, insert, update, delete
  on casino.river_job, casino.river_leader, casino.river_queue, casino.river_notification
  to casino;
grant select on casino.river_migration to casino;
grant usage on sequence casino.river_job_id_seq, casino.river_notification_id_seq to casino;
grant select on casino.river_job, casino.river_queue to worker, auditor, oncall, support, supervisor;
