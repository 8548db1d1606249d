#!/bin/sh
# Builds the program for a release:
#
#   VERSION=1.2.3 infra/release/build.sh [FILE]     (default bin/release/palimpsest)
#
# A host's own C compiler links with the host's glibc, and then the program starts
# on nothing older. Zig's compiler, fetched through pip by checksum, links with the
# symbols of glibc 2.27, the oldest that ONNX Runtime itself runs on (RHEL 8,
# Ubuntu 18.04, Debian 10 and all that is newer). It also is the same everywhere,
# so that the same commit gives the same bytes.
set -eu
cd "$(dirname -- "$0")/../.."

glibc=2.27
file=${1:-bin/release/palimpsest}
venv=.cache/zig

[ -n "${VERSION:-}" ] || {
	echo "build.sh: VERSION is not set" >&2
	exit 64
}
if ! cmp -s infra/release/requirements.txt "$venv/installed"; then
	echo "fetching the C compiler of releases with pip (90 MB) ..."
	rm -rf "$venv"
	python3 -m venv "$venv"
	"$venv/bin/pip" install --quiet --disable-pip-version-check --only-binary=:all: --no-deps --require-hashes -r infra/release/requirements.txt
	cp infra/release/requirements.txt "$venv/installed"
fi
mkdir -p "$(dirname -- "$file")"
# Without the state of git, which also knows tags that are made after the build, and
# without Go's build id, which depends on the folder that the compiler lies in.
CC="$PWD/$venv/bin/python -m ziglang cc -target x86_64-linux-gnu.$glibc" CGO_ENABLED=1 GOAMD64=v1 GOOS=linux GOARCH=amd64 \
	go build -trimpath -buildvcs=false -tags=disable_grpc_modules \
	-ldflags="-s -w -buildid= -extldflags=-Wl,--strip-all -X github.com/palimpsest-deid/palimpsest/pipeline.version=$VERSION" -o "$file" ./cmd/run
# Beam's boot program, which starts the program on Dataflow: part of the images. With
# the same tag it is linked with no module that the program's NOTICE does not name.
CGO_ENABLED=0 GOOS=linux GOARCH=amd64 go build -trimpath -buildvcs=false -tags=disable_grpc_modules -ldflags='-s -w -buildid=' -o "$(dirname -- "$file")/boot" github.com/apache/beam/sdks/v2/go/container
