#!/usr/bin/env bash
# Starts the streaming replica, in the image of PostgreSQL; the first time it copies the primary.
set -euo pipefail

if [ ! -s "$PGDATA/PG_VERSION" ]; then
	rm -rf "${PGDATA:?}"/*
	PGPASSWORD=$REPLICATOR_PASSWORD pg_basebackup --pgdata "$PGDATA" --host postgres --username replicator \
		--slot replica --write-recovery-conf --checkpoint fast
	chmod 0700 "$PGDATA"
fi
# A standby needs at least the primary's max_connections.
exec postgres -c max_connections=300 -c shared_buffers=512MB -c listen_addresses='*'
