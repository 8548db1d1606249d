#!/bin/sh
# Runs a Flink session cluster and Beam's job server on this machine, in the
# foreground, until it is interrupted:
#
#   infra/flink/cluster.sh [DIR]     (default .cache/flink/cluster)
#
# A job manager, task managers and the job server, one Java process each, on
# the loopback interface only. DIR holds their settings, logs and temporary
# files. Environment variables, with their defaults:
#
#   SLOTS=4           task slots of a task manager; those of all are the most that
#                     --parallelism can ask for
#   TASK_MANAGERS=1   how many there are
#   JOB_PORT=8099     of the job server: --endpoint=localhost:8099
#   REST_PORT=8081    of Flink's web pages
#   RPC_PORT=6123     of the job manager
#   RESTARTS=2        attempts more that a failed job gets
#   SUPERVISE=        if set, a job manager that ends is started again, as a
#                     service manager would do
#   JARS=.cache/flink/1.19.0-beam-2.62.0
#
# "ready" on standard output says that jobs can be sent.
set -eu

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
root=$(CDPATH='' cd -- "$here/../.." && pwd)
dir=${1:-$root/.cache/flink/cluster}
jars=${JARS:-$root/.cache/flink/1.19.0-beam-2.62.0}
slots=${SLOTS:-4}
job_port=${JOB_PORT:-8099}
managers=${TASK_MANAGERS:-1}
rest_port=${REST_PORT:-8081}
rpc_port=${RPC_PORT:-6123}
restarts=${RESTARTS:-2}

fail() {
	echo "cluster.sh: $*" >&2
	exit 1
}

[ -d "$jars" ] || fail "there is no Flink in $jars; infra/flink/fetch.sh fetches it"
mkdir -p "$dir/conf" "$dir/tmp" "$dir/artifacts"
dir=$(CDPATH='' cd -- "$dir" && pwd)

# Memory is given in full, as Flink's own start scripts are not at hand to
# share it out. Slots hold no data of ours but what crosses a shuffle. A shuffle
# takes at least 512 buffers of 32 KiB by Flink's default, and a job has many of
# them, in each slot.
cat >"$dir/conf/flink-conf.yaml" <<CONF
jobmanager.rpc.address: localhost
jobmanager.rpc.port: $rpc_port
jobmanager.bind-host: localhost
jobmanager.execution.failover-strategy: region
rest.address: localhost
rest.port: $rest_port
rest.bind-port: $rest_port
rest.bind-address: localhost
blob.server.port: 0
taskmanager.host: localhost
taskmanager.bind-host: localhost
taskmanager.numberOfTaskSlots: $slots
taskmanager.cpu.cores: $slots
taskmanager.memory.framework.heap.size: 128m
taskmanager.memory.framework.off-heap.size: 128m
taskmanager.memory.task.heap.size: 512m
taskmanager.memory.task.off-heap.size: 128m
taskmanager.memory.network.min: 256m
taskmanager.memory.network.max: 256m
taskmanager.network.sort-shuffle.min-buffers: 64
taskmanager.memory.managed.size: 256m
taskmanager.memory.jvm-metaspace.size: 256m
taskmanager.memory.jvm-overhead.min: 192m
taskmanager.memory.jvm-overhead.max: 192m
io.tmp.dirs: $dir/tmp
blob.storage.directory: $dir/tmp
restart-strategy.type: fixed-delay
restart-strategy.fixed-delay.attempts: $restarts
restart-strategy.fixed-delay.delay: 1 s
CONF

pids=
stop() {
	trap - EXIT
	for pid in $pids; do kill "$pid" 2>/dev/null || :; done
	for pid in $pids; do wait "$pid" 2>/dev/null || :; done
}
trap stop EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP

# start NAME HEAP CLASS ARGUMENTS...: a Java process whose log is DIR/NAME.log.
start() {
	name=$1 heap=$2
	shift 2
	java "-Xmx$heap" -XX:+UseSerialGC -Djava.io.tmpdir="$dir/tmp" \
		-Dlog.file="$dir/$name.log" \
		-Dorg.slf4j.simpleLogger.showDateTime=true \
		-Dorg.slf4j.simpleLogger.dateTimeFormat="yyyy-MM-dd'T'HH:mm:ss.SSS" \
		--add-opens=java.base/java.lang=ALL-UNNAMED \
		--add-opens=java.base/java.net=ALL-UNNAMED \
		--add-opens=java.base/java.nio=ALL-UNNAMED \
		--add-opens=java.base/java.time=ALL-UNNAMED \
		--add-opens=java.base/java.util=ALL-UNNAMED \
		--add-opens=java.base/java.util.concurrent=ALL-UNNAMED \
		-cp "$classpath" "$@" >"$dir/$name.log" 2>&1 &
	pids="$pids $!"
	echo "$name is process $!, its log is $dir/$name.log"
}

# answered NAME TEXT: waits until TEXT is in the log of NAME.
answered() {
	tries=0
	until grep -q "$2" "$dir/$1.log" 2>/dev/null; do
		tries=$((tries + 1))
		[ "$tries" -le 600 ] || fail "$1 does not start; see $dir/$1.log"
		for pid in $pids; do
			kill -0 "$pid" 2>/dev/null || fail "process $pid has ended; see the logs in $dir"
		done
		sleep 0.5
	done
}

jobmanager() {
	classpath="$jars/*"
	start jobmanager 512m org.apache.flink.runtime.entrypoint.StandaloneSessionClusterEntrypoint --configDir "$dir/conf"
	manager=$!
}
jobmanager
answered jobmanager 'Starting the resource manager'
for i in $(seq "$managers"); do
	start "taskmanager$i" 768m org.apache.flink.runtime.taskexecutor.TaskManagerRunner --configDir "$dir/conf"
done
# The job server sends its whole class path to Flink with each job, so it gets
# only what Beam's runner needs there.
classpath=
for jar in "$jars"/*.jar; do
	case ${jar##*/} in
	flink-rpc-akka-loader-* | flink-shaded-zookeeper-* | grpc-* | opencensus-* | opentelemetry-sdk-* | \
		google-cloud-monitoring-* | proto-google-cloud-monitoring-*) ;;
	*) classpath=$classpath:$jar ;;
	esac
done
classpath=${classpath#:}
start jobserver 512m org.apache.beam.runners.flink.FlinkJobServerDriver \
	--flink-master="localhost:$rest_port" --flink-conf-dir="$dir/conf" \
	--job-host=localhost --job-port="$job_port" --artifact-port=0 --expansion-port=0 \
	--artifacts-dir="$dir/artifacts" --clean-artifacts-per-job
for i in $(seq "$managers"); do
	answered "taskmanager$i" 'Successful registration at resource manager'
done
answered jobserver 'Job server now running'
grep -h -o 'Starting StandaloneSessionClusterEntrypoint (.*' "$dir/jobmanager.log" | head -n 1
echo ready
# Any process that ends takes the others with it, but for a supervised one.
while :; do
	there=
	for pid in $pids; do
		if kill -0 "$pid" 2>/dev/null; then
			there="$there $pid"
		elif [ "$pid" != "$manager" ] || [ -z "${SUPERVISE:-}" ]; then
			fail "process $pid has ended; see the logs in $dir"
		fi
	done
	case "$there " in
	*" $manager "*) ;;
	*) pids=$there && jobmanager ;;
	esac
	sleep 1
done
