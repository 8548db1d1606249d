#!/bin/sh
# Imports the DAGs of this folder in a real Airflow, without starting it:
#
#   infra/schedule/airflow.sh
#
# Airflow and its Kubernetes provider (430 MB) are fetched through pip into
# .cache/airflow, once. Of the DAG for Dataflow the operators are stand-ins: it needs
# the providers of Google and of Beam, several times that.
set -eu
cd "$(dirname -- "$0")/../.."

venv=$PWD/.cache/airflow
wanted="apache-airflow==3.3.2 apache-airflow-providers-cncf-kubernetes==10.25.0 apache-airflow-providers-standard pytest==9.2.0"
if [ "$(cat "$venv/installed" 2>/dev/null)" != "$wanted" ]; then
	rm -rf "$venv"
	"${PYTHON:-python3}" -m venv "$venv"
	# shellcheck disable=SC2086
	"$venv/bin/pip" install --quiet --disable-pip-version-check $wanted
	echo "$wanted" >"$venv/installed"
fi
AIRFLOW_HOME=$(mktemp -d)
trap 'rm -rf "$AIRFLOW_HOME"' EXIT
export AIRFLOW_HOME AIRFLOW__CORE__LOAD_EXAMPLES=False PYTHONDONTWRITEBYTECODE=1
"$venv/bin/python" -m pytest -q -p no:cacheprovider infra/schedule/airflow_test.py
