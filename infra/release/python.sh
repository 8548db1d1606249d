#!/bin/sh
# Tests, lints and type-checks python/, with the program in bin/:
#
#   infra/release/python.sh
#
# What that needs is fetched through pip into .cache/python, once.
set -eu
cd "$(dirname -- "$0")/../.."

venv=.cache/python
wanted="pytest==9.2.0 ruff==0.17.5 mypy==2.4.1 pyarrow==26.0.1"
if [ "$(cat "$venv/installed" 2>/dev/null)" != "$wanted" ]; then
	rm -rf "$venv"
	python3 -m venv "$venv"
	# shellcheck disable=SC2086
	"$venv/bin/pip" install --quiet --disable-pip-version-check $wanted
	echo "$wanted" >"$venv/installed"
fi
PALIMPSEST_PROGRAM=${PALIMPSEST_PROGRAM:-$PWD/bin/palimpsest}
export PALIMPSEST_PROGRAM
repository=$PWD
python=$repository/$venv/bin/python
cd python
"$python" -m ruff format --check .
"$python" -m ruff check .
"$python" -m mypy palimpsest tests
PYTHONPATH=$PWD PALIMPSEST_REPOSITORY=$repository "$python" -m pytest -q -p no:cacheprovider
