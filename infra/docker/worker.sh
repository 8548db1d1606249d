#!/bin/sh
# Builds the program for the worker images and checks that it can start there:
#
#   infra/docker/worker.sh [FILE]     (default bin/worker)
#
# VERSION in the environment is what the program calls itself.
#
# The launcher stages this file (--worker_binary=bin/worker) and every worker
# runs it. It needs cgo, so it is built on Linux x86-64, and its glibc must not
# be newer than that of the image, Debian 12's 2.36.
set -eu

file=${1:-bin/worker}
newest=2.36

fail() {
	echo "worker.sh: $*" >&2
	exit 1
}

[ "$(uname -s) $(uname -m)" = "Linux x86_64" ] ||
	fail "the workers are Linux x86-64 machines, and cgo compiles for the machine it runs on; build in the image instead: docker build -f infra/docker/Dockerfile --target worker ."
mkdir -p "$(dirname -- "$file")"
CGO_ENABLED=1 go build -buildvcs=false -trimpath -tags=disable_grpc_modules \
	-ldflags="-s -w -X github.com/palimpsest-deid/palimpsest/pipeline.version=${VERSION:-}" -o "$file" ./cmd/run

command -v objdump >/dev/null || fail "there is no objdump to check the file with. Install binutils"
needed=$(objdump -T "$file" | grep -o 'GLIBC_[0-9.]*' | sort -Vu | tail -n 1)
needed=${needed#GLIBC_}
[ -n "$needed" ] || fail "$file is not linked with glibc, so it was built without cgo and cannot load ONNX Runtime"
[ "$(printf '%s\n%s\n' "$needed" "$newest" | sort -V | tail -n 1)" = "$newest" ] ||
	fail "$file needs glibc $needed, the image has $newest: a worker would never start. Build on Debian 12 or in the image"
echo "$file needs glibc $needed; the image has $newest"
