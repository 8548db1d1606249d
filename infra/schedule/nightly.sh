#!/bin/sh
# Scrubs one night's partition:
#
#   nightly.sh SETTINGS [YYYY-MM-DD]     (default yesterday, UTC)
#
# SETTINGS is a file of variables:
#
#   PALIMPSEST   the program                 (the one beside schedule/, where the tarball puts it)
#   CONFIG       its YAML file: key, columns, known identifiers, and so on
#   NOTES        where partitions are; the night's is $NOTES/YYYY-MM-DD
#   RELEASED     prefix of outputs           PRIVATE   prefix of private parts
#   STATE        folder of what nights remember, if they are to; CONFIG names its key,
#                state_key (docs/nights.md)
#   INPUT        files of the night, instead of those of its partition: with STATE
#                it may be the whole table
#   LOCK         file of this machine that keeps a second run out
#                ($PRIVATE/.nightly.lock, unless PRIVATE is in a store)
#
# Exit codes: 0 done, now or before; 64 wrong settings, or no lock could be had
# in that place; 75 another run is at work; else the program's own
# (palimpsest --help).
set -eu

fail() {
	code=$1
	shift
	echo "nightly.sh: $*" >&2
	exit "$code"
}

[ $# -ge 1 ] && [ -f "$1" ] || fail 64 "name a file of settings; the comment at the top of this script says what is in it"
# shellcheck source=/dev/null
. "$(CDPATH='' cd -- "$(dirname -- "$1")" && pwd)/$(basename -- "$1")"
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
night=${2:-$(date -u -d yesterday +%F)}
case $night in
[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]) ;;
*) fail 64 "$night is no date; write YYYY-MM-DD" ;;
esac
for name in CONFIG NOTES RELEASED PRIVATE; do
	eval "value=\${$name:-}"
	[ -n "$value" ] || fail 64 "$name is not set in $1"
done

exists() {
	case $1 in
	gs://*) gcloud storage ls "$1" >/dev/null 2>&1 ;;
	s3://*) aws s3 ls "$1" >/dev/null 2>&1 ;;
	*) [ -e "$1" ] ;;
	esac
}

# Not in a folder that others may write to: whoever made the file first could keep
# every night out, or have another file emptied through a link.
lock=${LOCK:-$PRIVATE/.nightly.lock}
case $lock in
*://*) fail 64 "the lock cannot be $lock; set LOCK to a file of this machine, in a folder where this user alone may write" ;;
esac
(umask 077 && { [ -n "${LOCK:-}" ] || mkdir -p "$PRIVATE"; } && : >>"$lock") ||
	fail 64 "the lock $lock cannot be opened; make its folder one that this user may write to, or name another file with LOCK"
exec 9>>"$lock"
flock -n 9 || fail 75 "another run is at work"
if exists "$RELEASED/$night/_SUCCESS"; then
	echo "$night is done already"
	exit 0
fi
set -- --config "$CONFIG" --input "${INPUT:-$NOTES/$night/*.parquet}"
if [ -n "${STATE:-}" ]; then
	set -- "$@" --output "$RELEASED" --private "$PRIVATE" --state "$STATE" --night "$night"
else
	set -- "$@" --output "$RELEASED/$night" --private "$PRIVATE/$night"
fi
"${PALIMPSEST:-$here/../palimpsest}" "$@"
exists "$RELEASED/$night/_SUCCESS" || fail 1 "the program is content, but $RELEASED/$night has no _SUCCESS"
