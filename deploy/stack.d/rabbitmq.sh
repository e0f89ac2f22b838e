# shellcheck shell=bash
# RabbitMQ with a node name, an epmd and files of its own, and the management API for tests that cut
# connections. Debian's wrapper in /usr/sbin insists on its own user, so the server's script is run directly.

rabbitmq_pid() { process "$STACK_DIR/rabbitmq" "$STACK_DIR/rabbitmq/pid"; }
rabbitmq_running() { rabbitmq_pid >/dev/null; }

rabbitmq_reserve() {
	rabbitmq_running || reserve amqp management dist
	epmd_running || reserve epmd
}

rabbitmq_start() {
	! rabbitmq_running || return 0
	rabbitmq_reserve
	local folder
	folder=$(service_folder rabbitmq)
	epmd_start
	write_broker_settings
	say "starting rabbitmq on 127.0.0.1:${port[amqp]}"
	launch "$folder" "$folder/log" env -i "${broker_environment[@]}" \
		/usr/lib/rabbitmq/bin/rabbitmq-server >"$folder/pid"
	wait_for_server "$(<"$folder/pid")" "$folder/log" broker_answers
}

# Listeners open last, after users and permissions were loaded.
broker_answers() {
	rabbitmq_running && listening "${port[amqp]}" && listening "${port[management]}"
}

rabbitmq_stop() {
	local pid
	! pid=$(rabbitmq_pid) || end TERM "$pid"
	! pid=$(process "$STACK_DIR/rabbitmq" "$STACK_DIR/rabbitmq/epmd.pid") || end KILL "$pid"
}

# The broker writes a new quorum queue to its directory half a second after it confirmed the queue. Killed
# before, it comes back with a queue that never again has a leader, and every caller waits: not what a test
# of a killed broker is about, so what was declared just now gets its second.
rabbitmq_kill() {
	local pid
	pid=$(rabbitmq_pid) || return 0
	sleep 1
	end KILL "$pid"
}

epmd_running() { process "$STACK_DIR/rabbitmq" "$STACK_DIR/rabbitmq/epmd.pid" >/dev/null; }

# Erlang's port mapper: one of our own, so that 4369 stays as it is and ends with us.
epmd_start() {
	local folder=$STACK_DIR/rabbitmq
	! epmd_running || return 0
	launch "$folder" "$folder/epmd.log" epmd -address 127.0.0.1 -port "${port[epmd]}" >"$folder/epmd.pid"
	wait_for_server "$(<"$folder/epmd.pid")" "$folder/epmd.log" listening "${port[epmd]}"
}

write_broker_settings() {
	local folder=$STACK_DIR/rabbitmq
	as_server_file "$folder/enabled_plugins" <<<'[rabbitmq_management].'
	broker_definitions | as_server_file "$folder/definitions.json"
	as_server_file "$folder/rabbitmq.conf" <<-CONF
		listeners.tcp.local = 127.0.0.1:${port[amqp]}
		management.tcp.ip = 127.0.0.1
		management.tcp.port = ${port[management]}
		load_definitions = $folder/definitions.json
		disk_free_limit.absolute = 50MB
		raft.wal_max_size_bytes = 67108864
		log.file = $folder/rabbitmq.log
		log.file.level = info
		log.console = false
	CONF
	broker_environment=(
		"HOME=$folder"
		"PATH=$PATH"
		"LANG=C.UTF-8"
		"ERL_EPMD_PORT=${port[epmd]}"
		"ERL_EPMD_ADDRESS=127.0.0.1"
		"RABBITMQ_CONF_ENV_FILE=/dev/null"
		"RABBITMQ_NODENAME=walletctl@localhost"
		"RABBITMQ_NODE_PORT=${port[amqp]}"
		"RABBITMQ_DIST_PORT=${port[dist]}"
		"RABBITMQ_CONFIG_FILE=$folder/rabbitmq.conf"
		"RABBITMQ_ADVANCED_CONFIG_FILE=$folder/advanced.config"
		"RABBITMQ_ENABLED_PLUGINS_FILE=$folder/enabled_plugins"
		"RABBITMQ_MNESIA_BASE=$folder/data"
		"RABBITMQ_LOG_BASE=$folder"
		"RABBITMQ_GENERATED_CONFIG_DIR=$folder/generated"
		"RABBITMQ_SCHEMA_DIR=$folder/schema"
		# Without it the server is the child of a shell script, whose pid is of no use.
		"RUNNING_UNDER_SYSTEMD=1"
		"RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS=-kernel inet_dist_use_interface {127,0,0,1}"
	)
}

# One user a service; given definitions, the broker makes no guest. `@NAME@` stands for NAME's password. Rights
# are (configure, write, read):
# - gaming declares, binds and reads what is called gaming.*. Binding a queue needs write on the queue and
#   read on the exchange, so it may write every gaming.* but the exchange gaming.rpc: requests to the wallet
#   come from casino alone. amq.default is the way back to the caller (direct reply-to).
# - casino declares and uses casino.*, and publishes requests to gaming.rpc.
# - payouts, whoever pays, reads requests for payouts and writes their outcomes; it declares nothing.
# - worker has names of its own; admin is for tests.
broker_definitions() {
	local name definitions
	definitions=$(<"$here/broker.json")
	for name in "${broker_users[@]}"; do definitions=${definitions//@$name@/${broker[$name]}}; done
	printf '%s\n' "$definitions"
}
