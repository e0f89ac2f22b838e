# shellcheck shell=bash
# stack.conf: the ports and passwords of this stack, made once and kept.

ports=(postgres replica amqp management dist epmd redis pooler)
logins=(wallet_owner gaming casino worker auditor backfill)
broker_users=(admin casino gaming worker payouts)
declare -A port password broker

load_conf() {
	[ -s "$STACK_DIR/stack.conf" ] || new_conf
	# shellcheck source=/dev/null
	. "$STACK_DIR/stack.conf"
	complete_conf
}

# A stack that was made by an older version lacks the services and users that came later.
complete_conf() {
	local name
	for name in "${ports[@]}"; do
		[ -z "${port[$name]:-}" ] || continue
		port[$name]=$(free_block)
		echo "port[$name]=${port[$name]}" >>"$STACK_DIR/stack.conf"
	done
	for name in "${broker_users[@]}"; do
		[ -z "${broker[$name]:-}" ] || continue
		broker[$name]=$(random_hex 16)
		echo "broker[$name]=${broker[$name]}" >>"$STACK_DIR/stack.conf"
	done
}

new_conf() {
	local block name
	block=$(free_block)
	(
		umask 077
		{
			for name in "${ports[@]}"; do echo "port[$name]=$((block++))"; done
			for name in postgres replicator "${logins[@]}"; do echo "password[$name]=$(random_hex 16)"; done
			for name in "${broker_users[@]}"; do echo "broker[$name]=$(random_hex 16)"; done
		} >"$STACK_DIR/stack.conf.new"
	)
	mv "$STACK_DIR/stack.conf.new" "$STACK_DIR/stack.conf"
}

# Ten free ports in a row, in a range that holds no server's default port and lies below those that Linux
# gives to clients (32768 up). The search begins by our pid, so two stacks made at once do not meet.
free_block() {
	local try block
	for try in {0..599}; do
		block=$((26000 + (BASHPID + try) % 600 * 10))
		block_free "$block" && echo "$block" && return
	done
	die "no ten free ports in a row between 26000 and 32000"
}

block_free() {
	local number
	for number in $(seq "$1" $(($1 + 9))); do
		! listening "$number" || return 1
	done
}

# reserve NAME... keeps the ports of a service that is about to start, or replaces those that another program
# took while the service did not run.
reserve() {
	local name
	for name in "$@"; do
		listening "${port[$name]}" || continue
		say "port ${port[$name]} ($name) was taken by another program, so a new one is used"
		port[$name]=$(free_block)
		sed -i "s/^port\[$name\]=.*/port[$name]=${port[$name]}/" "$STACK_DIR/stack.conf"
	done
}
