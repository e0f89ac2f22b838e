# shellcheck shell=bash
# The PostgreSQL primary and its streaming replica. TCP with SCRAM passwords, fsync on: what is measured here
# is honest.

# The newest installed version; the PATH may lead to another program of that name.
pg_bin() { find /usr/lib/postgresql/*/bin -name initdb 2>/dev/null | sort -V | tail -n 1 | xargs -r dirname; }

postgres_running() { process "$STACK_DIR/postgres/data" "$STACK_DIR/postgres/data/postmaster.pid" >/dev/null; }
replica_running() { process "$STACK_DIR/replica/data" "$STACK_DIR/replica/data/postmaster.pid" >/dev/null; }

postgres_start() {
	! postgres_running || return 0
	reserve postgres
	service_folder postgres >/dev/null
	[ -s "$STACK_DIR/postgres/ready" ] || init_primary
	write_settings postgres
	pg_start postgres
}

replica_start() {
	! replica_running || return 0
	reserve replica
	service_folder replica >/dev/null
	[ -s "$STACK_DIR/replica/ready" ] || init_replica
	write_settings replica
	pg_start replica
}

postgres_stop() { pg_stop postgres; }
replica_stop() { pg_stop replica; }
postgres_kill() { pg_kill postgres; }
replica_kill() { pg_kill replica; }

# The file `ready` is written last: data that an interrupted start left behind is thrown away.
init_primary() {
	local folder=$STACK_DIR/postgres
	say "creating the primary"
	rm -rf "$folder/data"
	as_server_file "$folder/password" <<<"${password[postgres]}"
	pg initdb --pgdata "$folder/data" --username postgres --pwfile "$folder/password" --no-sync \
		--encoding UTF8 --locale C --auth scram-sha-256 >>"$STACK_DIR/initdb.log" 2>&1
	as_server_file "$folder/data/pg_hba.conf" <<-'HBA'
		local all         all         scram-sha-256
		host  all         all         127.0.0.1/32  scram-sha-256
		host  replication replicator  127.0.0.1/32  scram-sha-256
	HBA
	as_server_file "$folder/ready" <<<yes
}

init_replica() {
	local folder=$STACK_DIR/replica
	say "creating the replica"
	rm -rf "$folder/data"
	superuser postgres <<-SQL
		select 'create role replicator replication' where to_regrole('replicator') is null \gexec
		alter role replicator login password '${password[replicator]}';
		select pg_create_physical_replication_slot('replica')
		where not exists (select from pg_replication_slots where slot_name = 'replica');
	SQL
	as_server_file "$folder/passfile" <<<"*:*:*:replicator:${password[replicator]}"
	pg pg_basebackup --pgdata "$folder/data" --dbname "$(replica_source)" --slot replica --checkpoint fast \
		--wal-method stream --no-sync
	as_server_file "$folder/data/standby.signal" </dev/null
	as_server_file "$folder/ready" <<<yes
}

replica_source() {
	echo "host=127.0.0.1 port=${port[postgres]} user=replicator passfile=$STACK_DIR/replica/passfile" \
		"application_name=replica"
}

# write_settings NAME writes the whole postgresql.conf at each start: the port may have changed.
write_settings() {
	local folder=$STACK_DIR/$1 sockets=$STACK_DIR/$1
	# A socket's path is at most 107 bytes long; TCP is always there.
	[ "${#sockets}" -le 85 ] || sockets=
	as_server_file "$folder/data/postgresql.conf" <<-CONF
		listen_addresses = '127.0.0.1'
		port = ${port[$1]}
		unix_socket_directories = '$sockets'
		max_connections = 300
		shared_buffers = ${STACK_SHARED_BUFFERS:-512MB}
		password_encryption = 'scram-sha-256'
		fsync = on
		wal_level = replica
		max_wal_size = 4GB
		max_wal_senders = 10
		max_replication_slots = 10
		synchronous_standby_names = ''
		hot_standby = on
		hot_standby_feedback = off
		primary_conninfo = '$(replica_source)'
		primary_slot_name = 'replica'
		timezone = 'UTC'
		log_timezone = 'UTC'
		log_line_prefix = '%m [%p] %q%u@%d '
		log_min_duration_statement = 1s
		log_lock_waits = on
		shared_preload_libraries = ''
		cluster_name = 'walletctl-$1'
	CONF
}

pg_start() {
	pg_kill "$1"
	say "starting $1 on 127.0.0.1:${port[$1]}"
	pg pg_ctl --pgdata "$STACK_DIR/$1/data" --log "$STACK_DIR/$1/log" --wait --timeout 60 start >/dev/null ||
		die "$1 did not start, see $STACK_DIR/$1/log"
}

# Killed, PostgreSQL would leave shared memory behind; immediate mode does not.
pg_stop_mode=fast
pg_stop() {
	local pid
	pid=$(process "$STACK_DIR/$1/data" "$STACK_DIR/$1/data/postmaster.pid") || return 0
	pg pg_ctl --pgdata "$STACK_DIR/$1/data" --mode "$pg_stop_mode" --wait --timeout 60 stop >/dev/null || pg_kill "$1"
}

# SIGKILL to the postmaster and to its children: one left behind would hold the shared memory, and the next
# start would be refused. So would it be by a pid file or a socket whose owner's number another process has by now.
pg_kill() {
	local pid
	! pid=$(process "$STACK_DIR/$1/data" "$STACK_DIR/$1/data/postmaster.pid") || end KILL "$pid"
	for pid in $(processes_in "$STACK_DIR/$1/data"); do end KILL "$pid"; done
	rm -f "$STACK_DIR/$1/data/postmaster.pid" "$STACK_DIR/$1"/.s.PGSQL.*
}

# pg PROGRAM ARGS... runs a program of PostgreSQL as the servers' user, in a folder that it may read.
pg() {
	local program
	program=$(pg_bin)/$1
	shift
	(cd "$STACK_DIR" && "${as_server[@]}" "$program" "$@" 9>&-)
}

# as_server_file FILE writes stdin to a file that only the servers' user can read.
as_server_file() { install -m 0600 -o "$server_user" /dev/stdin "$1"; }

# superuser DATABASE runs the SQL on stdin on the primary.
superuser() {
	PGPASSWORD=${password[postgres]} "$(pg_bin)/psql" --no-psqlrc --quiet --tuples-only --output /dev/null \
		--set ON_ERROR_STOP=1 "host=127.0.0.1 port=${port[postgres]} user=postgres dbname=$1"
}

# One login a service, and the database. Roles and their rights are the project's own SQL; the passwords are
# this stack's. Done again only when that SQL has changed.
provision_postgres() {
	local roles=$repo/migrations/roles.sql mark=$STACK_DIR/provisioned digest login
	digest=$(sha256sum <"$roles")
	[ "$(cat "$mark" 2>/dev/null)" != "$digest" ] || return 0
	say "creating roles and the database"
	superuser postgres <"$roles"
	for login in "${logins[@]}"; do
		echo "alter role $login login password '${password[$login]}';"
	done | superuser postgres
	superuser postgres <<-'SQL'
		select 'create database wallet owner wallet_owner'
		where not exists (select from pg_database where datname = 'wallet') \gexec
	SQL
	wait_for 30 "the replica to have the database" replica_has_database
	echo "$digest" >"$mark"
}

replica_has_database() {
	PGPASSWORD=${password[auditor]} "$(pg_bin)/psql" --no-psqlrc --quiet --command '' \
		"host=127.0.0.1 port=${port[replica]} user=auditor dbname=wallet" >/dev/null 2>&1
}
