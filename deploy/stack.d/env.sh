# shellcheck shell=bash
# What the programs and tests get to know of the stack: URLs, and the file of ledger keys.

make_ledger_keys() {
	[ -s "$STACK_DIR/ledger-keys.yaml" ] || (
		umask 077
		printf 'active: 1\nkeys:\n  1: %s\n' "$(random_hex 32)" >"$STACK_DIR/ledger-keys.yaml"
	)
}

print_env() {
	put ADMIN_DATABASE_URL "$(pg_url "${port[postgres]}" postgres postgres)"
	put ADMIN_REPLICA_URL "$(pg_url "${port[replica]}" postgres postgres)"
	put OWNER_DATABASE_URL "$(pg_url "${port[postgres]}" wallet_owner wallet)"
	put GAMING_DATABASE_URL "$(pg_url "${port[postgres]}" gaming wallet)"
	put CASINO_DATABASE_URL "$(pg_url "${port[postgres]}" casino wallet)"
	put WORKER_DATABASE_URL "$(pg_url "${port[postgres]}" worker wallet)"
	put AUDITOR_DATABASE_URL "$(pg_url "${port[postgres]}" auditor wallet)"
	put BACKFILL_DATABASE_URL "$(pg_url "${port[postgres]}" backfill wallet)"
	put DATABASE_REPLICA_URL "$(pg_url "${port[replica]}" auditor wallet)"
	put GAMING_POOLER_URL "$(pg_url "${port[pooler]}" gaming wallet)"
	put CASINO_POOLER_URL "$(pg_url "${port[pooler]}" casino wallet)"
	put ADMIN_AMQP_URL "$(amqp_url admin)"
	put CASINO_AMQP_URL "$(amqp_url casino)"
	put GAMING_AMQP_URL "$(amqp_url gaming)"
	put WORKER_AMQP_URL "$(amqp_url worker)"
	put PAYOUTS_AMQP_URL "$(amqp_url payouts)"
	put RABBITMQ_MANAGEMENT_URL "http://admin:${broker[admin]}@127.0.0.1:${port[management]}"
	put REDIS_URL "redis://127.0.0.1:${port[redis]}/0"
	put LEDGER_KEYS_FILE "$STACK_DIR/ledger-keys.yaml"
	put STACK_DIR "$STACK_DIR"
}

put() { printf "export %s='%s'\n" "$1" "$2"; }

# pg_url PORT LOGIN DATABASE
pg_url() {
	echo "postgres://$2:${password[$2]}@127.0.0.1:$1/$3?sslmode=disable"
}

amqp_url() {
	echo "amqp://$1:${broker[$1]}@127.0.0.1:${port[amqp]}/"
}
