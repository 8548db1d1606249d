"""Imports the DAGs as Airflow does and looks at what they would run; airflow.sh starts it."""

from __future__ import annotations

import importlib.util
import subprocess
from pathlib import Path

import jinja2

from airflow.models.dagbag import DagBag

HERE = Path(__file__).parent


def load(name: str):
    bag = DagBag(dag_folder=str(HERE / f"{name}.py"))
    assert not bag.import_errors, bag.import_errors
    [dag] = bag.dags.values()
    assert dag.catchup and dag.max_active_runs == 1
    return dag


def test_one_machine(tmp_path: Path) -> None:
    task = load("airflow_one_machine").get_task("scrub")
    command = jinja2.Template(task.bash_command).render(ds="2026-01-31")
    for status, want in {0: 0, 1: 1, 64: 254, 65: 254, 70: 254, 75: 75}.items():
        script = tmp_path / "nightly.sh"
        script.write_text(f'#!/bin/sh\n[ "$1 $2" = "/etc/palimpsest/nightly.env 2026-01-31" ] || exit 99\nexit {status}\n')
        script.chmod(0o755)
        ran = subprocess.run(["bash", "-c", command.replace("/opt/palimpsest/schedule/nightly.sh", str(script))], check=False)
        assert ran.returncode == want, (status, ran.returncode)
    assert task.fail_on_exit_code == [254]


def test_kubernetes() -> None:
    task = load("airflow_kubernetes").get_task("scrub")
    pod = task.build_pod_request_obj()
    container = pod.spec.containers[0]
    assert container.args[1] == "--input=/data/notes/{{ ds }}/*.parquet"
    assert {m.name for m in container.volume_mounts} == {v.name for v in pod.spec.volumes}
    assert container.security_context.read_only_root_filesystem


def test_dataflow() -> None:
    if importlib.util.find_spec("airflow.providers.google") is None:
        import pytest

        pytest.skip("Airflow's Google provider is not installed")
    dag = load("airflow_dag")
    assert dag.get_task("complete").upstream_task_ids == {"scrub"}
