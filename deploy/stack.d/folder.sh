# shellcheck shell=bash
# The folder of the stack: where it is, that the servers can reach it, and who may work in it.

# The servers' user has to get there, and their configuration files and start scripts take no blanks and
# quotes. Any other folder is replaced by one that its name leads to, always the same.
choose_folder() {
	wanted=${STACK_DIR:-$repo/.stack}
	wanted=$(realpath -m -- "$wanted")
	STACK_DIR=$wanted
	usable_folder "$wanted" && return
	STACK_DIR=/var/tmp/walletctl-stack-$(printf %s "$wanted" | sha256sum | cut -c1-16)
}

usable_folder() {
	local folder=$1
	[[ $folder =~ ^[A-Za-z0-9/._-]+$ ]] || return 1
	until [ -d "$folder" ]; do folder=$(dirname "$folder"); done
	"${as_server[@]}" test -x "$folder"
}

# /var/tmp is open to all, so a folder that somebody else put there first is not used.
create_folder() {
	[ -d "$STACK_DIR" ] || mkdir -p -m 0711 "$STACK_DIR"
	[ -O "$STACK_DIR" ] || die "$STACK_DIR belongs to somebody else"
	[ -e "$STACK_DIR/stack.conf" ] || [ -z "$(ls -A "$STACK_DIR")" ] ||
		die "$STACK_DIR is not empty and no stack: set STACK_DIR to another folder"
}

# One command at a time works in a folder. The lock is the folder itself, so nothing is left when it is
# removed; whoever waited for a folder that was removed meanwhile looks again.
lock_folder() {
	until
		exec 9<"$STACK_DIR"
		flock 9
		[ "$STACK_DIR" -ef /proc/self/fd/9 ]
	do create_folder; done
}

# service_folder NAME makes a folder that the servers' user owns, and that nobody else reads.
service_folder() {
	local folder=$STACK_DIR/$1
	[ -d "$folder" ] || install -d -m 0700 -o "$server_user" "$folder"
	echo "$folder"
}
