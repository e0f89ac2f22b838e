# shellcheck shell=bash
# Redis, for leases: they are short and expire, so nothing is fsynced.

redis_running() { process "$STACK_DIR/redis" "$STACK_DIR/redis/pid" >/dev/null; }

redis_start() {
	! redis_running || return 0
	reserve redis
	local folder
	folder=$(service_folder redis)
	as_server_file "$folder/redis.conf" <<-CONF
		bind 127.0.0.1
		port ${port[redis]}
		dir $folder
		appendonly no
	CONF
	say "starting redis on 127.0.0.1:${port[redis]}"
	launch "$folder" "$folder/log" redis-server "$folder/redis.conf" >"$folder/pid"
	wait_for_server "$(<"$folder/pid")" "$folder/log" redis_answers
}

redis_stop() { redis_signal TERM; }
redis_kill() { redis_signal KILL; }

redis_signal() {
	local pid
	pid=$(process "$STACK_DIR/redis" "$STACK_DIR/redis/pid") || return 0
	end "$1" "$pid"
}

redis_answers() {
	local answer
	redis_running && listening "${port[redis]}" || return 1
	exec 3<>"/dev/tcp/127.0.0.1/${port[redis]}"
	printf 'PING\r\n' >&3
	read -r -t 5 answer <&3 || true
	exec 3>&-
	[[ $answer == +PONG* ]]
}
