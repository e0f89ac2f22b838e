# shellcheck shell=bash
# PgBouncer in transaction mode before the primary: each transaction gets whatever connection is free, as in
# production behind a pooler. It has few connections to the server, so that clients do share them.

pooler_pid() { process "$STACK_DIR/pooler" "$STACK_DIR/pooler/pid"; }
pooler_running() { pooler_pid >/dev/null; }

pooler_start() {
	! pooler_running || return 0
	reserve pooler
	local folder
	folder=$(service_folder pooler)
	write_pooler_settings "$folder"
	say "starting pooler on 127.0.0.1:${port[pooler]}"
	launch "$folder" "$folder/log" /usr/sbin/pgbouncer "$folder/pgbouncer.ini" >"$folder/pid"
	wait_for_server "$(<"$folder/pid")" "$folder/log" pooler_answers
}

pooler_answers() { pooler_running && listening "${port[pooler]}"; }

pooler_stop() { pooler_signal INT; }
pooler_kill() { pooler_signal KILL; }

pooler_signal() {
	local pid
	pid=$(pooler_pid) || return 0
	end "$1" "$pid"
}

# It knows the services' logins and no superuser, and leads to every database: each test has its own.
write_pooler_settings() {
	local folder=$1 login
	for login in "${logins[@]}"; do
		printf '"%s" "%s"\n' "$login" "${password[$login]}"
	done | as_server_file "$folder/users.txt"
	as_server_file "$folder/pgbouncer.ini" <<-CONF
		[databases]
		* = host=127.0.0.1 port=${port[postgres]}
		[pgbouncer]
		listen_addr = 127.0.0.1
		listen_port = ${port[pooler]}
		unix_socket_dir =
		auth_type = scram-sha-256
		auth_file = $folder/users.txt
		pool_mode = transaction
		default_pool_size = 8
		max_client_conn = 1000
		server_login_retry = 1
	CONF
}
