#!/bin/sh
# Builds versitygw (Apache-2.0), a server that speaks S3, from its sources in
# Go's module proxy, once, for the tests of s3:// names:
#
#   infra/s3/fetch.sh [DIR]     (default .cache/versitygw)
#
# It takes some minutes of CPU. Exit code 3: the sources cannot be had, so that
# a caller can skip what needs it. It is no part of any release.
set -eu

version=v1.8.0
dir=${1:-.cache/versitygw}
program=$dir/versitygw-$version

[ -x "$program" ] && exit 0
mkdir -p "$dir"
work=$(mktemp -d "$dir/XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP
echo "building an S3 server for tests (versitygw $version) ..."
# The checksum database, where it answers, or the module proxy vouch for the sources.
GOFLAGS='' GOBIN=$(cd "$work" && pwd) go install "github.com/versity/versitygw/cmd/versitygw@$version" >"$work/log" 2>&1 || {
	tail -n 5 "$work/log" >&2
	echo "fetch.sh: the S3 server cannot be built here; tests of s3:// names are skipped" >&2
	exit 3
}
mv "$work/versitygw" "$program"
ln -sf "versitygw-$version" "$dir/versitygw"
