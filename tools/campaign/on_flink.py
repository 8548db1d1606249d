"""Jobs on a real Flink (infra/flink): workers and launchers killed, jobs cancelled, two at once."""

import json
import os
import re
import signal
import subprocess
import threading
import time
import urllib.request

from cases import R, add, base, same_as_clean, scaled
from checks import leftovers, tree
from options import BIN, ROOT, WORK
from runs import IDLE, LIBRARY, argv, check_log, log_of, need, run, start, wait

PORTS = dict(JOB_PORT="28099", REST_PORT="28081", RPC_PORT="26123")
POOL = "localhost:25000"
FLINK = ["--runner=flink", "--endpoint=localhost:" + PORTS["JOB_PORT"], "--flink_rest=localhost:" + PORTS["REST_PORT"]]
FLINK += ["--environment_type=EXTERNAL", "--environment_config=" + POOL, "--parallelism=2"]
lock, started = threading.Lock(), []


def spawn(name, command, env):
    log = os.path.join(WORK, name + ".log")
    with open(log, "w") as f:
        p = subprocess.Popen(command, cwd=ROOT, env=dict(os.environ, **env), stdout=f, stderr=f, start_new_session=True)
    started.append((p, log))
    return log


def said(log, text):
    since = time.time()
    while text not in open(log).read():
        need(time.time() - since < IDLE, f"{log}: {text!r} does not come")
        time.sleep(0.1)


def flink():
    """Starts the cluster and the pool for the first case."""
    with lock:
        if started:
            return
        cluster = spawn(
            "cluster", ["infra/flink/cluster.sh", os.path.join(WORK, "flink")], dict(PORTS, SLOTS="4", RESTARTS="10")
        )
        pool = spawn("pool", [BIN, "--worker_pool", "--worker_pool_address", POOL], {"PALIMPSEST_ONNXRUNTIME": LIBRARY})
        said(cluster, "\nready\n")
        said(pool, "listening at")


def stop():
    for p, _ in started:
        p.terminate()
    for p, _ in started:
        p.wait()


def workers():
    pool = open(started[1][1]).read()
    now = {}
    for name, pid in re.findall(r"worker (\S+): (?:started as process (\d+)|.* after .* peak memory)", pool):
        if pid:
            now[name] = int(pid)
        else:
            now.pop(name, None)
    return list(now.values())


def jobs():
    answer = urllib.request.urlopen(f"http://localhost:{PORTS['REST_PORT']}/jobs/overview", timeout=60)
    return {j["jid"]: j["state"] for j in json.load(answer)["jobs"]}


def published(out):
    return [p for p in tree(out) if "_temporary" not in p]


def undisturbed(d, kind):
    flink()
    r = run(argv(base(kind)[0], d + "/out", FLINK), d)
    need(r.rc == 0, r.log[-400:])
    same_as_clean(kind, d + "/out")


def worker_killed(d, kind, delay):
    flink()
    before = set(workers())
    p = start(argv(base(kind)[0], d + "/out", FLINK), d)
    while p.poll() is None and not set(workers()) - before:
        time.sleep(0.05)
    time.sleep(delay)
    for pid in workers():
        try:
            os.kill(pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
    rc = wait(p)
    check_log(log_of(d))
    if rc:
        need(not published(d + "/out"), f"published by a job that failed: {published(d + '/out')[:3]}")
        r = run(argv(base(kind)[0], d + "/out", FLINK), d)
        need(r.rc == 0, r.log[-400:])
    same_as_clean(kind, d + "/out")
    return f"exit status {rc}"


def launcher_stopped(d, kind, sig, after):
    """Stops the launcher when it has said something. A killed one leaves the job to Flink, and the next run stops it."""
    flink()
    p = start(argv(base(kind)[0], d + "/out", FLINK), d)
    while p.poll() is None and after not in log_of(d):
        time.sleep(0.02)
    os.kill(p.pid, sig)
    rc = wait(p)
    check_log(log_of(d))
    found = re.search(rb"Flink's job ID is ([0-9a-f]{32})", log_of(d))
    if sig != signal.SIGKILL and rc:
        need(rc == 128 + sig, f"exit status {rc}")
        need(not published(d + "/out"), "published by a job that was cancelled")
        need(not found or jobs()[found[1].decode()] == "CANCELED", f"Flink's job is not cancelled: {jobs()}")
    if os.path.exists(d + "/out/_SUCCESS"):
        return "complete by then"
    r = run(argv(base(kind)[0], d + "/out", FLINK), d)
    if sig == signal.SIGKILL and os.path.exists(d + "/out/_SUCCESS") and r.rc:
        return "completed by Flink"
    need(r.rc == 0, r.log[-400:])
    same_as_clean(kind, d + "/out")


def two_at_once(d, kinds, same):
    flink()
    ps = []
    for i, kind in enumerate(kinds):
        os.makedirs(f"{d}/{i}")
        ps.append(start(argv(base(kind)[0], d + ("/out" if same else f"/{i}/out"), FLINK), f"{d}/{i}"))
    rcs = [wait(p) for p in ps]
    for i in range(len(kinds)):
        check_log(log_of(f"{d}/{i}"))
    if same:
        need(sorted(rcs) == [0, 75], f"exit statuses {rcs}")
        same_as_clean(kinds[0], d + "/out")
        return
    need(rcs == [0, 0], f"exit statuses {rcs}: {log_of(d + '/0')[-300:]} {log_of(d + '/1')[-300:]}")
    for i, kind in enumerate(kinds):
        same_as_clean(kind, f"{d}/{i}/out")
        leftovers(f"{d}/{i}/out")


for kind in ("small", "bad", "many"):
    add("x", f"undisturbed {kind}", undisturbed, kind)
for i in range(scaled(6)):
    add("x", f"worker killed #{i}", worker_killed, ["small", "bad"][i % 2], R.uniform(0.5, 4))
for i, after in enumerate([b"submitted to", b"the job is running", b"Flink's job ID", b"notes in"] * 2):
    sig = [signal.SIGINT, signal.SIGTERM, signal.SIGKILL][i % 3]
    add(
        "x",
        f"{sig.name} to the launcher after {after.decode()!r} #{i}",
        launcher_stopped,
        ["small", "bad"][i % 2],
        sig,
        after,
    )
for i in range(scaled(2)):
    add("x", f"two jobs side by side #{i}", two_at_once, ["small", "bad"], False)
    add("x", f"two jobs into one output #{i}", two_at_once, ["small", "small"], True)
