"""Everything in Cloud Storage or S3, emulated on the loopback interface, whose requests go wrong."""

import os
import shutil
import signal
import subprocess
import time
from contextlib import contextmanager

from cases import R, add, base, scaled
from checks import leftovers, no_temp, tree
from options import KEY, ROOT, WORK
from runs import argv, check_log, log_of, need, run, start, wait

S3 = os.environ.get("PALIMPSEST_S3SERVER") or os.path.join(ROOT, ".cache/versitygw/versitygw")
S3 = S3 if os.path.exists(S3) else ""  # make s3-server builds it
KEYS = {"AWS_ACCESS_KEY_ID": "palimpsest-tests", "AWS_SECRET_ACCESS_KEY": "not a secret, but long enough"}


class Store:
    """A store of its own for a case, with the inputs of a kind in it."""

    def __init__(self, d, scheme, kind):
        self.d, self.scheme, self.kind, self.objects = d, scheme, kind, os.path.join(d, "objects")
        os.makedirs(self.objects)
        program = os.path.join(WORK, "cloud")
        command = [program, "-dir", self.objects] + (["-s3", S3] if scheme == "s3" else [])
        self.p = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.address = dict(line.split() for line in self.answer())
        at = self.address[scheme]
        self.env = {"STORAGE_EMULATOR_HOST": at}
        if scheme == "s3":
            self.env = dict(KEYS, AWS_ENDPOINT_URL="http://" + at, AWS_REGION="us-east-1")
        for f in base(kind)[1]:
            self.put("i/" + os.path.basename(f), f)

    def answer(self):
        lines = []
        while not lines or lines[-1] != "done":
            line = self.p.stdout.readline()
            need(line, "the store has ended")
            lines.append(line.strip())
        return lines[:-1]

    def ask(self, *words):
        self.p.stdin.write(" ".join(map(str, words)) + "\n")
        self.p.stdin.flush()
        return self.answer()

    def faults(self, share, seed=0):
        return int(self.ask("faults", share, seed)[0])

    def put(self, name, path):
        self.ask("put", f"{self.scheme}://warehouse/{name}", path)

    def fetch(self, to):
        """Copies all objects into a folder."""
        self.ask("fetch", f"{self.scheme}://warehouse", to)

    def argv(self, **kw):
        at = f"{self.scheme}://warehouse/"
        return argv(at + "i", at + "out", ["--private", at + "out-private"], **kw)

    def check(self, name="got"):
        """All that was written is what a clean run writes, but for places, and modes, which stores have none of."""
        to = os.path.join(self.d, name)
        shutil.rmtree(to, ignore_errors=True)
        self.fetch(to)
        _, _, out, private, _ = base(self.kind)
        leftovers(to + "/out", to + "/out-private")
        for folder, want in (("/out", out), ("/out-private", private)):
            got = {k: v[1] for k, v in tree(to + folder).items() if v[1] and k not in ("inputs.json", "run.json")}
            want = {k: v[1] for k, v in want.items() if v[1] and k not in ("inputs.json", "run.json")}
            need(got == want, f"{folder} differs: {sorted(set(got.items()) ^ set(want.items()))[:3]}")

    def published(self):
        to = os.path.join(self.d, "failed")
        shutil.rmtree(to, ignore_errors=True)
        self.fetch(to)
        amid = os.path.exists(to + "/out-private/_publishing.json")
        return [p for p in tree(to + "/out") if "_temporary" not in p and not amid or p == "_SUCCESS"]


@contextmanager
def store(d, scheme, kind):
    s = Store(d, scheme, kind)
    try:
        yield s
    finally:
        s.p.stdin.close()
        s.p.wait()


def faulty(d, scheme, kind, share, seed):
    with store(d, scheme, kind) as s:
        s.faults(share, seed)
        r = run(s.argv(), d, env=s.env)
        requests = s.faults(0)
        if r.rc:
            need(not s.published(), f"published by a run that failed: {s.published()[:3]}")
            again = run(s.argv(), d, env=s.env)
            need(again.rc == 0, "re-run: " + again.log[-300:])
        s.check()
        no_temp(d)
        return f"{requests} requests, exit status {r.rc}"


def killed(d, scheme, kind, sig, frac, share, seed):
    with store(d, scheme, kind) as s:
        s.faults(share, seed)
        p = start(s.argv(), d, env=s.env)
        time.sleep(frac * 2 * base(kind)[4])
        try:
            os.kill(p.pid, sig)
        except ProcessLookupError:
            pass
        rc = wait(p)
        check_log(log_of(d))
        s.faults(0)
        s.fetch(d + "/after")
        r = run(s.argv(), d, env=s.env)
        if os.path.exists(d + "/after/out/_SUCCESS"):
            need(r.rc == 64 and "not empty" in r.log, "a finished output was not refused: " + r.log[-300:])
        else:
            need(rc != 0, "exit status 0 without _SUCCESS")
            need(r.rc == 0, "re-run: " + r.log[-300:])
        s.check()
        no_temp(d)


def race(d, scheme):
    with store(d, scheme, "bad") as s:
        for i in (0, 1):
            os.makedirs(f"{d}/{i}")
        ps = [start(s.argv(), f"{d}/{i}", env=s.env) for i in (0, 1)]
        rcs = [wait(p) for p in ps]
        for i in (0, 1):
            check_log(log_of(f"{d}/{i}"))
        need(rcs.count(0) <= 1, f"both runs of one output say that they were right: {rcs}")
        if 0 not in rcs:
            r = run(s.argv(), d, env=s.env)
            need(r.rc == 0, "re-run: " + r.log[-300:])
        s.check()


def key_in_store(d, scheme):
    with store(d, scheme, "bad") as s:
        with open(d + "/key", "w") as f:
            f.write(KEY)
        s.put("secret/key", d + "/key")
        r = run(s.argv(key=f"file:{scheme}://warehouse/secret/key"), d, env=s.env)
        need(r.rc == 0, r.log[-300:])
        s.check()


if not os.path.exists(os.path.join(WORK, "cloud")):
    subprocess.run(["go", "build", "-o", os.path.join(WORK, "cloud"), "./tools/campaign/cloud"], cwd=ROOT, check=True)
for scheme in ("gs", "s3") if S3 else ("gs",):
    for i in range(scaled(16)):
        share = [0.05, 0.1, 0.2, 0.3][i % 4]
        add(
            "s",
            f"{scheme}: {share:.0%} of requests fail #{i}",
            faulty,
            scheme,
            ["small", "bad", "many"][i % 3],
            share,
            R.randrange(1 << 30),
        )
    for i in range(scaled(16)):
        sig = [signal.SIGKILL, signal.SIGTERM][i % 2]
        kind, share, seed = ["small", "bad"][i % 2], [0, 0.1][i % 2], R.randrange(1 << 30)
        add("s", f"{scheme}: {sig.name} {kind} #{i}", killed, scheme, kind, sig, R.uniform(0.1, 1.2), share, seed)
    for i in range(scaled(3)):
        add("s", f"{scheme}: two runs at once #{i}", race, scheme)
    add("s", f"{scheme}: the key in the store", key_in_store, scheme)
