#!/bin/sh
# Launches one job on Dataflow from this machine, without a template:
#
#   infra/dataflow/launch.sh SETTINGS [FLAG...]
#
# SETTINGS is a file of variables like example.env beside this script; flags
# are the program's own, such as --dry_run or --date_columns=written_at. The
# program must be of the same build as the image (make worker).
set -eu

fail() {
	echo "launch.sh: $*" >&2
	exit 1
}

[ $# -ge 1 ] || fail "name a file of settings; infra/dataflow/example.env shows one"
[ -f "$1" ] || fail "there is no file $1"
# shellcheck source=infra/dataflow/example.env
. "$(CDPATH='' cd -- "$(dirname -- "$1")" && pwd)/$(basename -- "$1")"
shift
for name in PROJECT REGION STAGING IMAGE MACHINE SUBNETWORK SERVICE_ACCOUNT KMS_KEY KEY INPUT OUTPUT PRIVATE; do
	eval "value=\${$name:-}"
	[ -n "$value" ] || fail "$name is not set in the file of settings"
done
WORKER=${WORKER:-bin/worker}
[ -x "$WORKER" ] || fail "there is no program $WORKER; make worker builds it"

if [ -n "${GPU:-}" ]; then
	# The default model has 8-bit weights, which no GPU multiplies.
	set -- --execution_provider=cuda --model=en-clinical-accurate \
		--dataflow_service_options="worker_accelerator=type:$GPU;count:1;install-nvidia-driver" "$@"
else
	set -- --execution_provider=cpu "$@"
fi
exec "$WORKER" --runner=dataflow \
	--project="$PROJECT" --region="$REGION" --staging_location="$STAGING" --temp_location="$STAGING/tmp" \
	--sdk_container_image="$IMAGE" --worker_binary="$WORKER" --worker_machine_type="$MACHINE" \
	--disk_size_gb="${DISK_GB:-50}" \
	--max_num_workers="${MAX_WORKERS:-10}" --autoscaling_algorithm=THROUGHPUT_BASED \
	--no_use_public_ips --subnetwork="$SUBNETWORK" --service_account_email="$SERVICE_ACCOUNT" \
	--dataflow_kms_key="$KMS_KEY" --key="gcp-secret:$KEY" \
	--input="$INPUT" --output="$OUTPUT" --private="$PRIVATE" "$@"
