# shellcheck shell=bash
# What the parts share: messages, the servers' user, processes, waiting.

say() { printf 'stack: %s\n' "$*" >&2; }
die() { say "$*" && exit 1; }

# PostgreSQL refuses to run as root. Where we are root all servers run as postgres, the user that Debian's
# package brings; elsewhere as whoever calls. as_server holds the words to put before a command.
as_server=(env)
server_user=$(id -un)
if [ "$(id -u)" = 0 ]; then
	server_user=postgres
	as_server=(setpriv --reuid postgres --regid postgres --init-groups)
fi

# launch FOLDER LOG COMMAND... starts a server that outlives this script and prints its pid. It gets a session
# of its own, and neither the caller's stdout nor the lock (9): whoever waits for their end would wait forever.
launch() (
	local folder=$1 log=$2
	shift 2
	cd "$folder" || return
	"${as_server[@]}" setsid "$@" </dev/null >>"$log" 2>&1 9>&- &
	echo $!
)

# process FOLDER PIDFILE prints the pid of a living server. A pid file outlives kill -9 and a reboot, and its
# number may belong to another process by then: ours is the one whose working directory is the folder.
process() {
	local pid
	[ -s "$2" ] && read -r pid <"$2" || return 1
	[ "$(readlink "/proc/$pid/cwd")" = "$1" ] && echo "$pid"
}

# processes_in FOLDER prints the pids of all whose working directory it is.
processes_in() { find /proc/[0-9]*/cwd -maxdepth 0 -lname "$1" 2>/dev/null | cut -d / -f 3; }

# end SIGNAL PID waits until the process is gone.
end() {
	kill -s "$1" "$2" 2>/dev/null || return 0
	wait_for 60 "process $2 to end" gone "$2"
}

gone() { ! [ -e "/proc/$1" ] || grep -q '^State:.Z' "/proc/$1/status" 2>/dev/null; }

# wait_for SECONDS WHAT COMMAND...
wait_for() {
	local deadline=$((SECONDS + $1)) what=$2
	shift 2
	until "$@"; do
		[ "$SECONDS" -lt "$deadline" ] || die "waited too long for $what"
		sleep 0.05
	done
}

# wait_for_server PID LOG COMMAND... waits until it serves, and no longer than it lives.
wait_for_server() {
	local pid=$1 log=$2
	shift 2
	wait_for 60 "a server, see $log" ended_or "$pid" "$@"
	! gone "$pid" || die "a server ended at once, see $log"
}

ended_or() { gone "$1" || "${@:2}"; }

listening() { (exec 3<>"/dev/tcp/127.0.0.1/$1") 2>/dev/null; }

random_hex() { od -An -N "$1" -tx1 /dev/urandom | tr -d ' \n'; }
