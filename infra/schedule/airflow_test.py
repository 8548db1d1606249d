"""Imports the DAGs as Airflow does and looks at what they would run; airflow.sh starts it."""

from __future__ import annotations

import subprocess
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import ModuleType

import jinja2
import pytest

from airflow.dag_processing.dagbag import DagBag
from airflow.providers.standard.operators.empty import EmptyOperator
from airflow.serialization.serialized_objects import DagSerialization

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


class Parameters(EmptyOperator):
    """Stands in for an operator whose provider is not installed: it keeps what it is given."""

    def __init__(self, *, task_id: str, **given: object) -> None:
        super().__init__(task_id=task_id)
        self.given = given


@pytest.fixture
def google(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, operator in (
        ("operators.dataflow", "DataflowStartFlexTemplateOperator"),
        ("sensors.gcs", "GCSObjectExistenceSensor"),
    ):
        module = ModuleType(f"airflow.providers.google.cloud.{name}")
        setattr(module, operator, Parameters)
        monkeypatch.setitem(sys.modules, module.__name__, module)


@pytest.mark.parametrize("name", ["airflow_one_machine", "airflow_kubernetes", "airflow_dag"])
def test_a_night_is_the_day_before(name: str, google: None) -> None:
    # As the scheduler sees the DAG, and has it run: a night takes what came on the day
    # before, as nightly.sh and the workflow of Google Cloud do by themselves.
    dag = DagSerialization.deserialize_dag(DagSerialization.serialize_dag(load(name)))
    info = dag.next_dagrun_info(last_automated_run_info=None)
    runs = {}
    while info.run_after < datetime(2026, 2, 3, tzinfo=UTC):
        runs[f"{info.run_after:%F %T}"] = f"{info.logical_date:%F}"  # which is what ds is made of
        info = dag.next_dagrun_info(last_automated_run_info=info)
    assert runs["2026-02-02 03:15:00"] == "2026-02-01"
    first = datetime(2026, 1, 1)
    assert list(runs.values()) == [f"{first + timedelta(days=n):%F}" for n in range(32)]


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
