#!/bin/sh
# Fetches Flink and Beam's Flink job server through Maven, once:
#
#   infra/flink/fetch.sh [DIR]     (default .cache/flink/1.19.0-beam-2.62.0)
#
# DIR then holds the jars, each checked against checksums.sha256. A second run
# checks and says nothing. Exit code 3: Maven or Java is missing, or Maven got
# no answer, so that a caller can skip what needs Flink.
set -eu

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
dir=${1:-.cache/flink/1.19.0-beam-2.62.0}

fail() {
	code=$1
	shift
	echo "fetch.sh: $*" >&2
	exit "$code"
}

# intact DIR: DIR holds exactly the known jars.
intact() {
	[ -d "$1" ] && [ "$(ls "$1" | wc -l)" -eq "$(wc -l <"$here/checksums.sha256")" ] &&
		(cd "$1" && sha256sum --check --quiet --strict "$here/checksums.sha256" >/dev/null 2>&1)
}

intact "$dir" && exit 0

command -v java >/dev/null || fail 3 "there is no java. Install Java 17 (on Debian or Ubuntu: apt-get install openjdk-17-jre-headless)"
command -v mvn >/dev/null || fail 3 "there is no mvn. Install Maven (on Debian or Ubuntu: apt-get install maven)"
mkdir -p "$(dirname -- "$dir")"
dir=$(CDPATH='' cd -- "$(dirname -- "$dir")" && pwd)/$(basename -- "$dir")
work=$(mktemp -d "$dir.XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP

echo "fetching Flink 1.19.0 and Beam's Flink runner through Maven ..."
mvn --batch-mode --no-transfer-progress --file "$here/pom.xml" dependency:copy-dependencies \
	-DincludeScope=runtime -DoutputDirectory="$work/jars" >"$work/log" 2>&1 || {
	grep -m 5 '^\[ERROR\]' "$work/log" >&2 || tail -n 20 "$work/log" >&2
	fail 3 "Maven could not fetch the jars. Check the network and Maven's settings.xml"
}
intact "$work/jars" || {
	(cd "$work/jars" && sha256sum --check --quiet "$here/checksums.sha256" 2>&1 | head -n 10) >&2 || :
	fail 1 "the jars are not those that this project was tested with: do not use them, and ask who runs the registry"
}
rm -rf "$dir"
mv "$work/jars" "$dir"
