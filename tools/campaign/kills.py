"""Kills at random times, and crashes and errors at the n-th system call of a kind."""

import os
import signal
import stat
import time

from cases import R, add, base, same_as_clean, scaled
from checks import correct, no_temp, refused, tree
from runs import argv, check_log, log_of, need, run, start, wait


# a. kills
def kill_case(d, kind, sig, frac, twice):
    inp, ins, o, pr, secs = base(kind)
    out = os.path.join(d, "out")
    for k in range(2 if twice else 1):
        p = start(argv(inp, out), d)
        time.sleep(frac * secs * (1 if k == 0 else 0.7))
        try:
            os.kill(p.pid, sig)
        except ProcessLookupError:
            pass
        rc = wait(p, 60)
        log = log_of(d)
        check_log(log)
        if rc == 0:
            break
        need(
            not os.path.exists(os.path.join(out, "_SUCCESS")) or sig == signal.SIGKILL or rc == 0,
            f"_SUCCESS though the run ended with {rc}",
        )
        if sig != signal.SIGKILL:
            need(rc in (128 + sig, -sig), f"exit code {rc} on signal {sig}")
    done = os.path.exists(os.path.join(out, "_SUCCESS"))
    if os.path.exists(out + "-private"):
        need(stat.S_IMODE(os.stat(out + "-private").st_mode) == 0o700, "private folder open after a kill")
    r = run(argv(inp, out), d)
    if done:
        need(r.rc != 0 and "not empty" in r.log, "a finished output was not refused")
    else:
        need(r.rc == 0, "re-run fails: " + r.log[-400:])
    same_as_clean(kind, out)
    no_temp(d)


for i in range(scaled(105)):
    kind = ["small", "many", "bad"][i % 3]
    sig = [signal.SIGKILL, signal.SIGKILL, signal.SIGTERM, signal.SIGINT][i % 4]
    add("a", f"{sig.name} {kind} #{i}", kill_case, kind, sig, R.uniform(0.02, 1.15), i % 7 == 0)


# k. crash or error at the n-th system call of a kind (strace counts them per thread)
def inject_case(d, kind, call, how, when):
    inp, ins, o, pr, secs = base(kind)
    out = os.path.join(d, "out")
    cmd = [
        "strace",
        "-f",
        "-qq",
        "-o",
        os.path.join(d, "trace"),
        "-e",
        "trace=" + call,
        "-P",
        out,
        "-e",
        f"inject={call}:{how}:when={when}",
    ]
    cmd = [
        "strace",
        "-f",
        "-qq",
        "-o",
        os.path.join(d, "trace"),
        "-e",
        "trace=" + call,
        "-e",
        f"inject={call}:{how}:when={when}",
    ] + argv(inp, out)
    p = start(cmd, d)
    rc = wait(p)
    log = log_of(d)
    hit = b"INJECTED" in open(os.path.join(d, "trace"), "rb").read() or rc < 0 or rc == 137
    check_log(log, crash="error=ENOMEM" not in how)
    success = os.path.exists(os.path.join(out, "_SUCCESS"))
    if rc == 0:
        need(success, "exit 0 without _SUCCESS")
        same_as_clean(kind, out) if "signal" in how or not hit else correct(ins, out)
        return "no effect" if not hit else None
    os.path.exists(out) and not success and refused(d, out, fresh=False)
    if rc > 0 and rc != 137 and b"error while loading shared libraries" not in log:  # then it was not begun
        need(b"palimpsest: " in log, f"no message: {log[-300:]!r}")
    r = run(argv(inp, out), d)
    if success:
        need(r.rc != 0, "complete output was not refused")
        same_but_leftover(kind, out)
        return
    need(r.rc == 0, "re-run fails: " + r.log[-400:])
    same_as_clean(kind, out)


def same_but_leftover(kind, out):
    a, o = tree(out), base(kind)[2]
    need(a == o, "output differs from a clean run: " + str(sorted(set(a.items()) ^ set(o.items()))[:4]))


for call, n in [("renameat2", 11), ("fsync", 14), ("unlinkat", 8), ("mkdirat", 6)]:
    for w in range(1, scaled(n) + 1):
        for kind in ["small", "bad"] if call in ("fsync", "renameat2") else ["small"]:
            add("k", f"{kind} SIGKILL at {call} {w}", inject_case, kind, call, "signal=SIGKILL", w)
for call, err, ns in [
    ("renameat2", "EIO", (1, 2, 3, 4, 7)),
    ("fsync", "EIO", (1, 2, 3, 5, 8)),
    ("fsync", "ENOSPC", (1, 3)),
    ("unlinkat", "EBUSY", (1, 2, 5)),
    ("mkdirat", "ENOSPC", (1, 2, 4)),
    ("openat", "EMFILE", (5, 20, 40, 60)),
    ("pread64", "EIO", (1, 2, 3, 5, 8, 12)),
    ("fstat", "EIO", (1, 3, 6)),
]:
    for w in ns:
        add("k", f"small {err} at {call} {w}", inject_case, "small", call, "error=" + err, w)
