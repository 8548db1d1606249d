"""Scrubs each night's partition on a worker of Airflow's own, by nightly.sh.

The machine needs the tarball of a release in /opt/palimpsest, and
/etc/palimpsest/nightly.env. BashOperator does not tell exit statuses apart, so wrong
settings and refused data are tried again too, which takes seconds and harms nothing.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from airflow.providers.standard.operators.bash import BashOperator
from airflow.sdk import DAG
from airflow.timetables.interval import CronDataIntervalTimetable

with DAG(
    dag_id="palimpsest_one_machine",
    # By intervals, so that ds is the day before; with the bare line it is the run's own in Airflow 3.
    schedule=CronDataIntervalTimetable("15 3 * * *", timezone="UTC"),
    start_date=datetime(2026, 1, 1),
    catchup=True,  # a night that was missed is made up for
    max_active_runs=1,
    default_args={"retries": 3, "retry_delay": timedelta(minutes=10)},
) as dag:
    BashOperator(
        task_id="scrub",
        # The blank at the end keeps Airflow from taking the command for a template's file.
        bash_command="/opt/palimpsest/schedule/nightly.sh /etc/palimpsest/nightly.env {{ ds }} ",
        execution_timeout=timedelta(hours=12),
    )
