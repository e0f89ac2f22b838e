#!/usr/bin/env bash
# Runs once, in the image of PostgreSQL, when the primary's data is made: roles, their passwords, the database,
# and the way in for the replica.
set -euo pipefail

sql() { psql --no-psqlrc --quiet --set ON_ERROR_STOP=1 --username postgres --dbname postgres "$@"; }

sql --file /roles.sql
for login in wallet_owner gaming casino worker auditor backfill; do
	password=${login^^}_PASSWORD
	echo "alter role $login login password '${!password}';"
done | sql
sql <<-SQL
	create database wallet owner wallet_owner;
	create role replicator replication login password '$REPLICATOR_PASSWORD';
	select pg_create_physical_replication_slot('replica');
SQL
echo 'host replication replicator all scram-sha-256' >>"$PGDATA/pg_hba.conf"
