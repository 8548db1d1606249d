"""Scrubs each night's partition in a pod of a release's image.

Needs Airflow's cncf.kubernetes provider; an Airflow variable palimpsest_image
(registry.example/palimpsest:1.2.3); and, in the namespace palimpsest, a claim
notes with the folders notes, released and private, a secret palimpsest-key with
the file key, and a config map palimpsest with config.yaml, whose key is
file:/etc/palimpsest-key/key. The pod has no network policy of its own: see
infra/kubernetes for one that lets nothing out.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from airflow.providers.cncf.kubernetes.operators.pod import KubernetesPodOperator
from airflow.sdk import DAG
from airflow.timetables.interval import CronDataIntervalTimetable
from kubernetes.client import models as k8s

with DAG(
    dag_id="palimpsest_kubernetes",
    # By intervals, so that ds is the day before; with the bare line it is the run's own in Airflow 3.
    schedule=CronDataIntervalTimetable("15 3 * * *", timezone="UTC"),
    start_date=datetime(2026, 1, 1),
    catchup=True,  # a night that was missed is made up for
    max_active_runs=1,
    default_args={"retries": 3, "retry_delay": timedelta(minutes=10)},
) as dag:
    KubernetesPodOperator(
        task_id="scrub",
        name="palimpsest",
        namespace="palimpsest",
        image="{{ var.value.palimpsest_image }}",
        arguments=[
            "--config=/etc/palimpsest/config.yaml",
            "--input=/data/notes/{{ ds }}/*.parquet",
            "--output=/data/released/{{ ds }}",
            "--private=/data/private/{{ ds }}",
        ],
        volumes=[
            k8s.V1Volume(
                name="data", persistent_volume_claim=k8s.V1PersistentVolumeClaimVolumeSource(claim_name="notes")
            ),
            k8s.V1Volume(name="config", config_map=k8s.V1ConfigMapVolumeSource(name="palimpsest")),
            # The program refuses a key that others may read.
            k8s.V1Volume(
                name="key", secret=k8s.V1SecretVolumeSource(secret_name="palimpsest-key", default_mode=0o400)
            ),
            k8s.V1Volume(name="tmp", empty_dir=k8s.V1EmptyDirVolumeSource()),
        ],
        volume_mounts=[
            k8s.V1VolumeMount(name="data", mount_path="/data"),
            k8s.V1VolumeMount(name="config", mount_path="/etc/palimpsest", read_only=True),
            k8s.V1VolumeMount(name="key", mount_path="/etc/palimpsest-key", read_only=True),
            k8s.V1VolumeMount(name="tmp", mount_path="/tmp"),
        ],
        container_resources=k8s.V1ResourceRequirements(
            requests={"cpu": "4", "memory": "4Gi"}, limits={"memory": "8Gi"}
        ),
        security_context=k8s.V1PodSecurityContext(run_as_non_root=True, run_as_user=10001, fs_group=10001),
        container_security_context=k8s.V1SecurityContext(
            allow_privilege_escalation=False,
            read_only_root_filesystem=True,
            capabilities=k8s.V1Capabilities(drop=["ALL"]),
        ),
        # Logs hold no text of notes; a pod that has ended is of no use.
        get_logs=True,
        on_finish_action="delete_pod",
        startup_timeout_seconds=600,
        execution_timeout=timedelta(hours=12),
    )
