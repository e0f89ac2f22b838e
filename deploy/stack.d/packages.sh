# shellcheck shell=bash
# Installs the Debian packages whose programs are missing. It upgrades nothing, starts no service of the
# system's, and makes no cluster of the system's.

install_missing() {
	local missing=()
	[ -n "$(pg_bin)" ] || missing+=(postgresql)
	[ -x /usr/sbin/pgbouncer ] || missing+=(pgbouncer)
	command -v redis-server >/dev/null || missing+=(redis-server)
	[ -x /usr/lib/rabbitmq/bin/rabbitmq-server ] || missing+=(rabbitmq-server)
	[ ${#missing[@]} -eq 0 ] || (install_packages "${missing[@]}" >&2)
}

as_root() {
	if [ "$(id -u)" = 0 ]; then "$@"; else sudo -n "$@"; fi
}

# Runs in a subshell of its own, so that its trap takes the guards away whatever happens.
install_packages() {
	command -v apt-get >/dev/null || die "install these by hand, there is no apt-get here: $*"
	as_root true || die "neither root nor sudo without a password: install these by hand: $*"
	say "installing $*"
	trap remove_guards EXIT
	trap 'exit 130' INT TERM
	place_guards
	as_root apt-get -q update
	refuse_upgrades "$@"
	apt_get install "$@"
	disable_units "$@"
}

apt_get() {
	as_root env DEBIAN_FRONTEND=noninteractive apt-get -q -y --no-install-recommends --no-upgrade \
		-o DPkg::Lock::Timeout=300 "$@" </dev/null 9>&-
}

# A PostgreSQL upgraded under a running server makes that server fail on its own libraries.
refuse_upgrades() {
	local upgrades
	upgrades=$(apt_get -s install "$@" | sed -n 's/^Inst \([^ ]*\) \[.*/\1/p' | xargs)
	[ -z "$upgrades" ] || [ "${STACK_ALLOW_UPGRADES:-}" = 1 ] || die \
		"installing $* would upgrade $upgrades: upgrade them first, or set STACK_ALLOW_UPGRADES=1"
}

policy=/usr/sbin/policy-rc.d
cluster=/etc/postgresql-common/createcluster.d/walletctl-stack.conf
placed=()

# Debian asks policy-rc.d before it starts a service, and createcluster.d before it makes the first cluster.
# What is there already stays as it is.
place_guards() {
	[ -e "$policy" ] || place_guard "$policy" 0755 '#!/bin/sh' 'exit 101'
	[ -e "$cluster" ] || place_guard "$cluster" 0644 'create_main_cluster = false'
}

# place_guard FILE MODE LINE...
place_guard() {
	local file=$1 mode=$2
	shift 2
	placed+=("$file")
	printf '%s\n' "$@" | as_root install -D -m "$mode" /dev/stdin "$file"
}

remove_guards() { [ ${#placed[@]} -eq 0 ] || as_root rm -f "${placed[@]}"; }

# An installed service is enabled: without this it would start at the next boot, on its default port.
disable_units() {
	command -v systemctl >/dev/null || return 0
	local units=("${@/%/.service}")
	[[ " $* " != *" rabbitmq-server "* ]] || units+=(epmd.service epmd.socket)
	local unit
	for unit in "${units[@]}"; do
		as_root systemctl disable --quiet "$unit" 2>/dev/null || true
	done
}
