#!/bin/sh
# Fetches the Debian packages of the images' lowest layer with apt-get, in the
# versions and with the checksums of packages.txt:
#
#   tools/images/fetch.sh DIR            fetch what is missing in DIR
#   tools/images/fetch.sh DIR --update   take the newest versions and write packages.txt
#
# Apt works in folders of its own, so that what this machine has installed, and
# which release it is of, does not matter. It checks Debian's signatures itself.
# A mirror keeps one version of a package: once Debian has mended one, --update is
# needed, and the commit shows what changed.
set -eu

dir=${1:?name the folder to fetch into}
list=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)/packages.txt
keyring=/usr/share/keyrings/debian-archive-keyring.gpg
mkdir -p "$dir"
dir=$(CDPATH='' cd -- "$dir" && pwd)

fetched() {
	while read -r name version sum; do
		case $name in '#'* | '') continue ;; esac
		echo "$sum  $dir/$name.deb" | sha256sum --check --status 2>/dev/null || return 1
	done <"$list"
}
[ "${2:-}" = --update ] || ! fetched || exit 0

for tool in apt-get dpkg-deb; do
	command -v $tool >/dev/null || {
		echo "fetch.sh: there is no $tool: images are made on Debian or Ubuntu" >&2
		exit 1
	}
done
[ -f $keyring ] || {
	echo "fetch.sh: there is no $keyring: install debian-archive-keyring" >&2
	exit 1
}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# Apt's own user for downloads has to get there.
chmod 755 "$work"
mkdir -p "$work/state/lists/partial" "$work/cache/archives/partial"
: >"$work/state/status"
cat >"$work/sources.list" <<SOURCES
deb [signed-by=$keyring arch=amd64] http://deb.debian.org/debian bookworm main
deb [signed-by=$keyring arch=amd64] http://deb.debian.org/debian bookworm-updates main
deb [signed-by=$keyring arch=amd64] http://deb.debian.org/debian-security bookworm-security main
SOURCES
apt() {
	apt-get -q -q -o Dir::Etc::SourceList="$work/sources.list" -o Dir::Etc::SourceParts=/dev/null -o Dir::State="$work/state" \
		-o Dir::State::status="$work/state/status" -o Dir::Cache="$work/cache" -o APT::Architecture=amd64 -o APT::Sandbox::User=root "$@"
}
apt update
cd "$work"
: >"$work/packages.txt"
while read -r name version sum; do
	case $name in
	'#'* | '')
		echo "$name${version:+ $version}${sum:+ $sum}" >>"$work/packages.txt"
		continue
		;;
	esac
	[ "${2:-}" = --update ] || wanted="=$version"
	if ! apt download "$name${wanted:-}"; then
		echo "fetch.sh: Debian's mirror has no $name $version any more; run tools/images/fetch.sh $dir --update and commit packages.txt" >&2
		exit 1
	fi
	mv "$name"_*.deb "$name.deb"
	echo "$name $(dpkg-deb -f "$name.deb" Version) $(sha256sum "$name.deb" | cut -d ' ' -f 1)" >>"$work/packages.txt"
	mv "$name.deb" "$dir/"
done <"$list"
[ "${2:-}" != --update ] || cp "$work/packages.txt" "$list"
cd /
fetched || {
	echo "fetch.sh: a package is not the one that packages.txt names: do not use it, and ask who runs the mirror" >&2
	exit 1
}
