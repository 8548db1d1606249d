#!/bin/sh
# Fuzzes every target of the module in turn, each for the given time. Ends with
# status 1 if one failed; what it found then lies in its testdata/fuzz.
set -eu
time=${1:-60s}

listed=$(go test -list '^Fuzz' ./...) || { echo "$listed"; exit 1; }
targets=$(echo "$listed" | awk '/^Fuzz/ { target[++n] = $1 } /^ok/ { for (i = 1; i <= n; i++) print $2, target[i]; n = 0 }')
out=$(mktemp)
trap 'rm -f "$out"' EXIT
failed=
while read -r package target; do
	echo "== $package $target"
	# A find is not made smaller: that may take a minute, in which nothing is tried.
	go test -run '^$' -fuzz "^$target\$" -fuzztime "$time" -fuzzminimizetime 1x "$package" >"$out" 2>&1 </dev/null && ok=1 || ok=
	grep -v -e 'gathering baseline' -e '^PASS$' "$out" | tail -n 40
	# Go now and then takes the end of the time for a failure (golang/go#75804).
	if [ -z "$ok" ] && ! { grep -q '^    context deadline exceeded$' "$out" && ! grep -q 'Failing input' "$out"; }; then
		failed="$failed $target"
	fi
done <<END
$targets
END
[ -z "$failed" ] || { echo "failed:$failed"; exit 1; }
