"""Running the program, and what every run must keep to: an exit status with a message, no text or key in what it says."""

import glob
import os
import re
import signal
import subprocess
import threading
import time

import pyarrow as pa
import pyarrow.parquet as pq
from notes import CANARY, CENSUS
from options import BIN, FAST, IDLE, KEY, KEYFILE, REFUSED, ROOT, TIMEOUT

LIBRARY = os.environ.get("PALIMPSEST_ONNXRUNTIME") or (glob.glob(ROOT + "/.cache/onnxruntime/*") or [""])[0]


class Bad(Exception):
    pass


def need(ok, what):
    if not ok:
        raise Bad(what)


chosen = threading.local()  # settings of the runner, where a case chooses one


def moments(inp):
    """The timestamps of some inputs, which have to be named to be kept."""
    try:
        names = pq.read_schema(sorted(glob.glob(inp))[0]).names
    except (IndexError, OSError, pa.ArrowException):
        return []
    return ["--keep_columns", "ts"] if "ts" in names else []


def argv(inp, out, extra=(), key="file:" + KEYFILE, census=True, dates=True):
    a = [BIN, "--input", inp, "--output", out, "--key", key, "--model", FAST]
    a += ["--private", out.rstrip("/") + "-private", "--private_beside_output"]
    if census:
        a += ["--identifiers", CENSUS]
    if dates:
        a += ["--date_columns", "note_date"]
    a += ["--keep_metadata", "site", "--other_columns", "keep", "--max_quarantined", "100", "--allow_empty"]
    a += ["--accept_columns", "title,blob,tags.list.element"] + moments(inp) + getattr(chosen, "settings", [])
    # rows are compared by their place, and notes that are meant to hurt are in no language
    a += ["--row_order", "keep", "--language_check", "warn"]
    return a + list(extra)


class Result:
    def __init__(s, rc, log, secs, cpu):
        s.rc, s.log, s.secs, s.cpu = rc, log, secs, cpu


def environment(d, **more):
    tmp = os.path.join(d, "tmp")
    os.makedirs(tmp, exist_ok=True)
    e = {"PATH": os.environ["PATH"], "HOME": d, "TMPDIR": tmp, "PALIMPSEST_ONNXRUNTIME": LIBRARY}
    e.update(more)
    return e


def start(cmd, d, env=None, **kw):
    logf = open(os.path.join(d, "log"), "ab")
    p = subprocess.Popen(
        cmd,
        stdout=logf,
        stderr=logf,
        stdin=subprocess.DEVNULL,
        cwd=d,
        env=environment(d, **(env or {})),
        start_new_session=True,
        **kw,
    )
    logf.close()
    return p


def cpu(p):
    """The seconds of CPU that a process and its children have had."""
    try:
        with open(f"/proc/{p.pid}/stat", "rb") as f:
            fields = f.read().rpartition(b")")[2].split()
    except FileNotFoundError:
        return 0.0
    return sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")


def wait(p, limit=TIMEOUT):
    """Waits for the end. What hangs uses up its CPU seconds, or has none for minutes: a busy machine is no hang."""
    p.cpu, moved = 0.0, time.time()
    while p.poll() is None:
        now = cpu(p)
        if now > p.cpu:
            p.cpu, moved = now, time.time()
        if p.cpu > limit or time.time() - moved > IDLE:
            os.killpg(p.pid, signal.SIGKILL)
            p.wait()
            raise Bad(f"hang: no end after {p.cpu:.0f} s of CPU, {time.time() - moved:.0f} s after the last")
        time.sleep(0.02)
    return p.returncode


def log_of(d):
    f = os.path.join(d, "log")
    return open(f, "rb").read() if os.path.exists(f) else b""


CRASH = re.compile(rb"panic:|goroutine \d+ \[|fatal error|SIGSEGV|terminate called|core dumped")


def check_log(log, canary=CANARY, crash=True):
    if crash:
        need(not CRASH.search(log), "crash trace in the log: " + repr(CRASH.search(log)) + repr(log[-300:]))
    need(KEY.encode() not in log, "key in the log")
    for c in canary:
        need(c.encode() not in log, f"note text or id in the log: {c}")
    need(len(log) < 40000, f"log of {len(log)} bytes")


def run(cmd, d, env=None, limit=TIMEOUT, canary=CANARY, crash=True, **kw):
    open(os.path.join(d, "log"), "wb").close()
    t = time.time()
    p = start(cmd, d, env, **kw)
    rc = wait(p, limit)
    log = log_of(d)
    check_log(log, canary, crash)
    if rc not in (0, *REFUSED):
        raise Bad(f"exit code {rc}: {log[-300:]!r}")
    if rc:
        need(b"palimpsest: " in log, f"exit {rc} without a message: {log[-300:]!r}")
    return Result(rc, log.decode("utf8", "replace"), time.time() - t, p.cpu)
