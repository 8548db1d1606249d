"""Scrubs each night's partition on a worker of Airflow's own, by nightly.sh.

The machine needs the tarball of a release in /opt/palimpsest, and
/etc/palimpsest/nightly.env. Exit status 75 (another run is at work) is tried again;
64, 65 and 70 fail at once, as trying again would not help.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from airflow.providers.standard.operators.bash import BashOperator
from airflow.sdk import DAG

SCRUB = """\
status=0
/opt/palimpsest/schedule/nightly.sh /etc/palimpsest/nightly.env {{ ds }} || status=$?
case $status in
64 | 65 | 70) exit 254 ;;
esac
exit $status
"""

with DAG(
    dag_id="palimpsest_one_machine",
    schedule="15 3 * * *",
    start_date=datetime(2026, 1, 1),
    catchup=True,  # a night that was missed is made up for
    max_active_runs=1,
    default_args={"retries": 3, "retry_delay": timedelta(minutes=10)},
) as dag:
    BashOperator(
        task_id="scrub",
        bash_command=SCRUB,
        fail_on_exit_code=254,
        execution_timeout=timedelta(hours=12),
    )
