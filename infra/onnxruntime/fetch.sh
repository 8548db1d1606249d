#!/bin/sh
# Fetches ONNX Runtime's shared library for Linux x86-64, once, through npm or
# pip, whichever is there:
#
#   infra/onnxruntime/fetch.sh [DIR]     (default .cache/onnxruntime/1.27.0)
#
# DIR then holds libonnxruntime.so.1.27.0 and the link libonnxruntime.so. The
# library is installed only if its SHA-256 is one of the two below, so it does
# not matter where the client got it. A second run checks and says nothing.
set -eu

version=1.27.0
dir=${1:-.cache/onnxruntime/$version}
library=libonnxruntime.so.$version

# The two packages hold different builds of the same version.
npm_sha256=d8aff4aa8abee8fb2abb2f2f2459ffc94461e781e41b9f7c072829dd0d470221
pip_sha256=b5c9d4f124d24707f514dad926dc181820807178855df1c528e3addb2dd0e6f7

fail() {
	echo "fetch.sh: $*" >&2
	exit 1
}

sha256_of() { sha256sum "$1" | cut -d ' ' -f 1; }

# intact FILE: FILE is one of the two known builds.
intact() {
	[ -f "$1" ] || return 1
	case $(sha256_of "$1") in
	"$npm_sha256" | "$pip_sha256") return 0 ;;
	esac
	return 1
}

# link makes libonnxruntime.so, by a rename, so that no reader finds it missing.
link() {
	ln -s "$library" "$work/link" && mv -fT "$work/link" "$dir/libonnxruntime.so"
}

# run COMMAND...: its output is kept, to be shown only if nothing worked.
run() { "$@" >>"$work/log" 2>&1; }

# Each client leaves the library in $work/library. npm pack runs no scripts of
# the package: its own install script would fetch the CUDA build from elsewhere.
with_npm() {
	inside=package/bin/napi-v6/linux/x64/libonnxruntime.so.1
	(cd "$work" && run npm pack "onnxruntime-node@$version" --silent) &&
		run tar -xzf "$work/onnxruntime-node-$version.tgz" -C "$work" "$inside" &&
		mv "$work/$inside" "$work/library"
}

# The wheel is named in full, whatever Python runs here, so that there is one
# build to check against.
with_pip() {
	run "$python" -m pip download "onnxruntime==$version" --dest "$work/wheel" \
		--no-deps --only-binary=:all: --disable-pip-version-check \
		--implementation cp --python-version 3.12 --abi cp312 \
		--platform manylinux_2_28_x86_64 --platform manylinux_2_27_x86_64 &&
		run "$python" - "$work/wheel" "onnxruntime/capi/$library" "$work/library" <<'PYTHON'
import glob, shutil, sys, zipfile
wheels, inside, to = sys.argv[1:]
[wheel] = glob.glob(glob.escape(wheels) + "/*.whl")
with zipfile.ZipFile(wheel) as z, z.open(inside) as source, open(to, "wb") as target:
    shutil.copyfileobj(source, target)
PYTHON
}

# attempt CLIENT SHA256: fetch with that client, check, install.
attempt() {
	echo "fetching ONNX Runtime $version with $1 ..."
	rm -f "$work/library"
	case $1 in
	npm) with_npm ;;
	pip) with_pip ;;
	esac || {
		tried="$tried, $1 failed"
		return 1
	}
	found=$(sha256_of "$work/library")
	if [ "$found" != "$2" ]; then
		tried="$tried, the library from $1 has SHA-256 $found instead of $2"
		return 1
	fi
	# The archives carry dates of 1980 and 1985.
	{ chmod 755 "$work/library" && touch "$work/library" && mv -f "$work/library" "$dir/$library" && link; } ||
		fail "cannot install into $dir"
}

platform="$(uname -s) $(uname -m)"
[ "$platform" = "Linux x86_64" ] ||
	fail "this is $platform; only Linux x86_64 is fetched. Install ONNX Runtime $version yourself and set PALIMPSEST_ONNXRUNTIME to the path of its shared library"
if command -v getconf >/dev/null && ! getconf GNU_LIBC_VERSION >/dev/null 2>&1; then
	fail "this system has no glibc (musl?), which the library needs. Use a glibc-based system or image, or build ONNX Runtime $version and set PALIMPSEST_ONNXRUNTIME"
fi

if intact "$dir/$library" && [ "$(readlink "$dir/libonnxruntime.so" 2>/dev/null || :)" = "$library" ]; then
	exit 0
fi

mkdir -p "$dir" || fail "cannot make $dir: give a directory that can be written to"
# Beside the target, so that the install is a rename.
dir=$(CDPATH='' cd -- "$dir" && pwd)
work=$(mktemp -d "$dir/.fetch.XXXXXX") || fail "cannot write to $dir: give a directory that can be written to"
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP

if intact "$dir/$library"; then
	link || fail "cannot install into $dir" # only that was missing
	exit 0
fi

python=
for candidate in python3 python; do
	if "$candidate" -m pip --version >/dev/null 2>&1; then
		python=$candidate
		break
	fi
done

tried=
if command -v npm >/dev/null; then
	attempt npm "$npm_sha256" && exit 0
fi
if [ -n "$python" ]; then
	attempt pip "$pip_sha256" && exit 0
fi
[ -n "$tried" ] ||
	fail "neither npm nor pip is there. Install one of them (on Debian or Ubuntu: apt-get install npm, or apt-get install python3-pip), or install ONNX Runtime $version yourself and set PALIMPSEST_ONNXRUNTIME to the path of its shared library"
tail -n 20 "$work/log" >&2 2>/dev/null || :
case $tried in
*SHA-256*) advice="A package registry or mirror serves another file than the one this project was tested with: do not use it, and ask who runs it" ;;
*) advice="Check the network and the client's registry settings" ;;
esac
fail "ONNX Runtime $version was not installed: ${tried#, }. $advice; or install it yourself and set PALIMPSEST_ONNXRUNTIME to the path of its shared library"
