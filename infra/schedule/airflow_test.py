"""Imports the DAGs as Airflow does and looks at what they would run; airflow.sh starts it."""

from __future__ import annotations

import subprocess
from pathlib import Path

import jinja2
import pytest

from airflow.models.dagbag import DagBag

HERE = Path(__file__).parent

KUBECONFIG = """\
apiVersion: v1
kind: Config
clusters: [{name: c, cluster: {server: "http://localhost:1"}}]
users: [{name: u, user: {}}]
contexts: [{name: x, context: {cluster: c, user: u}}]
current-context: x
"""


def load(name: str):
    bag = DagBag(dag_folder=str(HERE / f"{name}.py"))
    assert not bag.import_errors, bag.import_errors
    [dag] = bag.dags.values()
    assert dag.catchup and dag.max_active_runs == 1
    return dag


def test_one_machine(tmp_path: Path) -> None:
    task = load("airflow_one_machine").get_task("scrub")
    command = jinja2.Template(task.bash_command).render(ds="2026-01-31")
    script = tmp_path / "nightly.sh"
    script.write_text('#!/bin/sh\n[ "$1 $2" = "/etc/palimpsest/nightly.env 2026-01-31" ] || exit 99\nexit 65\n')
    script.chmod(0o755)
    ran = subprocess.run(["bash", "-c", command.replace("/opt/palimpsest/schedule/nightly.sh", str(script))], check=False)
    assert ran.returncode == 65


def test_kubernetes(tmp_path: Path) -> None:
    # Where the pod would be started; nobody asks it.
    config = tmp_path / "config"
    config.write_text(KUBECONFIG)
    task = load("airflow_kubernetes").get_task("scrub")
    task.config_file = str(config)
    pod = task.build_pod_request_obj()
    container = pod.spec.containers[0]
    assert container.args[1] == "--input=/data/notes/{{ ds }}/*.parquet"
    assert {m.name for m in container.volume_mounts} == {v.name for v in pod.spec.volumes}
    assert container.security_context.read_only_root_filesystem
