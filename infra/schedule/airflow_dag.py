"""Scrubs each night's partition on Dataflow, through the flex template.

Needs Airflow's Google provider, and three Airflow variables: palimpsest_site
(JSON of Terraform's outputs, with project and region), palimpsest_template
(its output of that name) and palimpsest_worker_image. None holds a secret.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from airflow import DAG
from airflow.providers.google.cloud.operators.dataflow import DataflowStartFlexTemplateOperator
from airflow.providers.google.cloud.sensors.gcs import GCSObjectExistenceSensor
from airflow.timetables.interval import CronDataIntervalTimetable

SITE = "var.json.palimpsest_site"

with DAG(
    dag_id="palimpsest_nightly",
    # By intervals, so that ds is the day before; with the bare line it is the run's own in Airflow 3.
    schedule=CronDataIntervalTimetable("15 3 * * *", timezone="UTC"),
    start_date=datetime(2026, 1, 1),
    catchup=True,  # a night that was missed is made up for
    max_active_runs=1,
    default_args={"retries": 2, "retry_delay": timedelta(minutes=10)},
) as dag:
    scrub = DataflowStartFlexTemplateOperator(
        task_id="scrub",
        project_id=f"{{{{ {SITE}.project }}}}",
        location=f"{{{{ {SITE}.region }}}}",
        wait_until_finished=True,
        body={
            "launchParameter": {
                "jobName": "palimpsest-{{ ds }}",
                "containerSpecGcsPath": "{{ var.value.palimpsest_template }}",
                "environment": {
                    "serviceAccountEmail": f"{{{{ {SITE}.service_account }}}}",
                    "subnetwork": f"{{{{ {SITE}.subnetwork }}}}",
                    "ipConfiguration": "WORKER_IP_PRIVATE",
                    "kmsKeyName": f"{{{{ {SITE}.kms_key }}}}",
                    "sdkContainerImage": "{{ var.value.palimpsest_worker_image }}",
                    "machineType": "n2-standard-8",
                    "maxWorkers": 10,
                    "stagingLocation": f"{{{{ {SITE}.staging }}}}",
                    "tempLocation": f"{{{{ {SITE}.staging }}}}/tmp",
                },
                "parameters": {
                    "input": f"gs://{{{{ {SITE}.notes_bucket }}}}/{{{{ ds }}}}/*.parquet",
                    "output": f"gs://{{{{ {SITE}.released_bucket }}}}/{{{{ ds }}}}",
                    "private": f"gs://{{{{ {SITE}.private_bucket }}}}/{{{{ ds }}}}",
                    "key": f"{{{{ {SITE}.key }}}}",
                    "execution_provider": "cpu",
                },
            }
        },
    )
    complete = GCSObjectExistenceSensor(
        task_id="complete",
        bucket=f"{{{{ {SITE}.released_bucket }}}}",
        object="{{ ds }}/_SUCCESS",
        timeout=300,
    )
    scrub >> complete
