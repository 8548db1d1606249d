#!/bin/sh
# Takes the English model of version 0.2.0 out of the repository's history, to
# measure safety nets behind a weaker network. A clone without history goes
# without it, and says so.
#   tools/families/weak.sh FOLDER
set -eu
dir=$1
[ -f "$dir/model.json" ] && exit 0
model=onnx/models/en-clinical
for commit in $(git log --format=%H -- $model/model.json 2>/dev/null); do
	git show "$commit:$model/model.json" | grep -q '"version": "0.2.0"' || continue
	mkdir -p "$(dirname "$dir")"
	part=$(mktemp -d "$dir.XXXXXX")
	trap 'rm -rf "$part"' EXIT
	for file in $(git ls-tree --name-only "$commit" "$model/"); do
		git show "$commit:$file" >"$part/$(basename "$file")"
	done
	mv "$part" "$dir"
	exit 0
done
echo "families: the history here has no en-clinical 0.2.0 (a shallow clone?), so a weaker network is passed over" >&2
