#!/bin/sh
# Checks the files of infra/, as far as the tools for it are at hand:
#
#   infra/lint.sh
#
# Shellcheck and hadolint are fetched through pip into .cache/lint, by checksum.
# terraform (or tofu) and kubectl (or kustomize) are used where they are
# installed. What was not checked is said at the end; an error is exit code 1.
set -eu
cd "$(dirname -- "$0")/.."

venv=.cache/lint
skipped=
failed=

skip() { skipped="$skipped
  $*"; }

# check NAME COMMAND...
check() {
	name=$1
	shift
	if "$@"; then echo "ok      $name"; else
		echo "FAILED  $name" >&2
		failed=yes
	fi
}

if ! cmp -s infra/lint-requirements.txt "$venv/installed"; then
	rm -rf "$venv"
	if python3 -m venv "$venv" && "$venv/bin/pip" install --quiet --disable-pip-version-check \
		--only-binary=:all: --no-deps --require-hashes -r infra/lint-requirements.txt; then
		cp infra/lint-requirements.txt "$venv/installed"
	fi
fi
if [ -f "$venv/installed" ]; then
	# shellcheck disable=SC2046
	check shellcheck "$venv/bin/shellcheck" -x -S warning $(git ls-files 'infra/*.sh' 'tools/*.sh')
	check hadolint "$venv/bin/hadolint" --config infra/docker/hadolint.yaml infra/docker/Dockerfile
else
	skip "shellcheck, hadolint: pip could not fetch them"
fi

# Of the workflows' own scripts shellcheck looks at too, where it was fetched.
check workflows go run github.com/rhysd/actionlint/cmd/actionlint@v1.7.12 -no-color \
	-shellcheck "$([ ! -x "$venv/bin/shellcheck" ] || echo "$PWD/$venv/bin/shellcheck")"
check metadata.json python3 -m json.tool infra/dataflow/metadata.json /dev/null
for dag in infra/schedule/airflow_*.py; do
	check "$(basename -- "$dag")" python3 -c 'import ast, sys; ast.parse(open(sys.argv[1]).read())' "$dag"
done

terraform=
for candidate in terraform tofu; do
	if command -v "$candidate" >/dev/null; then
		terraform=$candidate
		break
	fi
done
if [ -n "$terraform" ]; then
	# A copy, as init writes beside what it reads.
	rm -rf .cache/terraform && mkdir -p .cache/terraform
	cp -R infra/terraform infra/dataflow infra/schedule .cache/terraform/
	for dir in terraform schedule/cloud-scheduler; do
		check "$terraform fmt $dir" "$terraform" fmt -check -diff "infra/$dir"
		if "$terraform" -chdir=".cache/terraform/$dir" init -backend=false -input=false >/dev/null 2>&1; then
			check "$terraform validate $dir" "$terraform" -chdir=".cache/terraform/$dir" validate
		else
			skip "$terraform validate $dir: the provider could not be fetched"
		fi
	done
else
	skip "terraform: neither terraform nor tofu is installed"
fi

render=
if command -v kubectl >/dev/null; then
	render="kubectl kustomize"
elif command -v kustomize >/dev/null; then
	render="kustomize build"
fi
if [ -n "$render" ]; then
	check "test of validate" go -C infra/kubernetes/validate test ./...
	mkdir -p .cache/lint
	for overlay in cpu gpu job; do
		$render "infra/kubernetes/$overlay" >".cache/lint/$overlay.yaml" || failed=yes
		check "kubernetes/$overlay" go -C infra/kubernetes/validate run . "$PWD/.cache/lint/$overlay.yaml"
	done
else
	skip "kubernetes: neither kubectl nor kustomize is installed"
fi

[ -z "$skipped" ] || echo "not checked:$skipped"
[ -z "$failed" ] || exit 1
