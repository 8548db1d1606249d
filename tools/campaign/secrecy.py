"""Keys, logs, permissions, links, ports and names."""

import glob
import json
import os
import re
import signal
import stat
import subprocess
import time

from cases import add, base, case, put
from checks import correct, refused, tree
from notes import CANARY, notes
from options import BIN, IDLE, KEY, ROOT, WORK
from runs import argv, check_log, environment, log_of, need, run, start, wait


# f. secrets, permissions, settings
def strings_case(d, verbose):
    inp, ins, *_ = base("bad")
    out = d + "/out"
    p = start(argv(inp, out, ["--verbose"] if verbose else []), d)
    seen = []
    priv_modes = set()
    while p.poll() is None:
        try:
            for f in ("cmdline", "environ"):
                seen.append(open(f"/proc/{p.pid}/{f}", "rb").read())
            for x in os.listdir(f"/proc/{p.pid}/fd"):
                l = os.readlink(f"/proc/{p.pid}/fd/{x}")
                ok = l.startswith(
                    (
                        d,
                        "/dev/null",
                        "socket:",
                        "pipe:",
                        "anon_inode:",
                        inp,
                        WORK,
                        ROOT,
                        os.path.realpath(ROOT),
                        os.path.realpath(ROOT + "/onnx"),
                        os.path.realpath(ROOT + "/.cache"),
                        BIN,
                        "/sys/",
                        "/proc/",
                        "/etc/passwd",  # who runs it
                    )
                )
                seen.append(b"" if ok else b"OPEN " + l.encode())
            for x in glob.glob(d + "/tmp/*"):
                seen.append(open(x, "rb").read())
            if os.path.exists(out + "-private"):
                priv_modes.add(stat.S_IMODE(os.stat(out + "-private").st_mode))
        except (FileNotFoundError, ProcessLookupError, PermissionError):
            pass
        time.sleep(0.03)
    need(p.returncode == 0, log_of(d))
    log = log_of(d)
    need(KEY.encode() not in log, "key in log")
    for c in CANARY:
        need(c.encode() not in log, f"{c} in the log" + (" of --verbose" if verbose else ""))
    blob = b"".join(seen)
    need(KEY.encode() not in blob, "key in cmdline, environ or temp")
    need(b"OPEN " not in blob, "open file elsewhere: " + repr(re.findall(rb"OPEN [^\0]{0,80}", blob)[:2]))
    need(priv_modes <= {0o700}, f"private {priv_modes}")
    correct(ins, out)


add("f", "everything but private is free of secrets", strings_case, False)
add("f", "the same with --verbose", strings_case, True)


def um(d, mask):
    inp, ins, *_ = base("bad")
    r = run(["bash", "-c", f'umask {mask}; exec "$@"', "x"] + argv(inp, d + "/out"), d)
    need(r.rc == 0, r.log)
    need(stat.S_IMODE(os.stat(d + "/out-private").st_mode) & 0o077 == 0, "private is open")


for m in ("000", "002", "022", "027", "077"):
    add("f", "umask " + m, um, m)


@case("f", "private folder that exists and is open to all")
def _(d):
    inp, *_ = base("bad")
    os.makedirs(d + "/out-private")
    os.chmod(d + "/out-private", 0o755)
    r = run(argv(inp, d + "/out"), d)
    open_ = [p for p, (m, _) in tree(d + "/out-private").items() if int(m, 8) & 0o004 and not int(m, 8) & 0o40000]
    need(r.rc != 0 or not open_, "quarantine and findings are readable by all, without a warning: " + str(open_[:2]))


@case("f", "private folder: the user before is told")
def _(d):
    inp, *_ = base("small")
    r = run(argv(inp, d + "/out"), d)
    need("sensitive" in r.log, "no word")


for label, v in (("short", "x" * 31), ("empty", ""), ("newlines", "\n" * 40)):

    def weak(d, v=v):
        inp, *_ = base("small")
        open(d + "/k", "w").write(v)
        os.chmod(d + "/k", 0o600)
        r = run(argv(inp, d + "/out", key=f"file:{d}/k"), d)
        need(r.rc and "at least 32" in r.log, r.log)
        refused(d, d + "/out")

    add("f", "key " + label, weak)
for label, v in (("of zeros", b"\0" * 32), ("of one letter", b"a" * 64), ("of spaces", b" " * 40)):

    def trivial(d, v=v):
        inp, *_ = base("small")
        open(d + "/k", "wb").write(v)
        os.chmod(d + "/k", 0o600)
        r = run(argv(inp, d + "/out", key=f"file:{d}/k"), d)
        need(r.rc, "a key without any entropy is taken without a word")

    add("f", "key " + label, trivial)


def literal(d, form, where):
    inp, *_ = base("small")
    a = argv(inp, d + "/out", key=form.format(k=KEY))
    if where == "yaml":
        open(d + "/c.yaml", "w").write("key: " + form.format(k=KEY) + "\n")
        i = a.index("--key")
        a = a[:i] + a[i + 2 :] + ["--config", d + "/c.yaml"]
    r = run(a, d)
    need(r.rc, "ran")  # run() looks for the key in the log


for form in (
    "{k}",
    "env:{k}",
    "file:{k}",
    "base64:{k}",
    "hex:{k}",
    "literal:{k}",
    "gcp-secret:{k}",
    "{k}:",
    "[{k}]",
    "{{a: {k}}}",
):
    if not form.startswith("gcp-secret"):
        add("f", f"key given literally as {form.format(k='K')}", literal, form, "flag")
    if not form.startswith("gcp-secret"):
        add("f", f"key given literally in YAML as {form.format(k='K')}", literal, form, "yaml")


@case("f", "key file that everybody can read")
def _(d):
    inp, *_ = base("small")
    open(d + "/k", "w").write(KEY)
    os.chmod(d + "/k", 0o666)
    r = run(argv(inp, d + "/out", key=f"file:{d}/k"), d)
    need(r.rc or "readable" in r.log or "permission" in r.log, "a key file of mode 0666 is taken without a warning")


@case("f", "core dump on a fatal signal")
def _(d):
    inp, *_ = base("many")
    p = start(["bash", "-c", 'ulimit -c unlimited; exec "$@"', "x"] + argv(inp, d + "/out"), d)
    time.sleep(1.0)
    os.kill(p.pid, signal.SIGQUIT)
    wait(p)
    log = log_of(d)
    for c in CANARY + [KEY]:
        need(c.encode() not in log, c + " in the trace")
    need(
        not glob.glob(d + "/core*"),
        "core file: " + str([(os.path.basename(x), os.path.getsize(x)) for x in glob.glob(d + "/core*")]),
    )


@case("f", "core dump with GOTRACEBACK=crash")
def _(d):
    inp, *_ = base("many")
    p = start(
        ["bash", "-c", 'ulimit -c unlimited; exec "$@"', "x"] + argv(inp, d + "/out"), d, env={"GOTRACEBACK": "crash"}
    )
    time.sleep(1.0)
    os.kill(p.pid, signal.SIGABRT)
    wait(p)
    for x in glob.glob(d + "/core*"):
        raw = open(x, "rb").read()
        os.remove(x)
        need(KEY.encode() not in raw, f"a core file ({len(raw) >> 20} MB) holds the key")
        need(b"Quackenbush" not in raw, f"a core file ({len(raw) >> 20} MB) holds note text")


def links(d, what):
    inp, ins, *_ = base("bad")
    os.makedirs(d + "/victim")
    open(d + "/victim/f", "w").write("mine")
    if what == "output to full":
        os.symlink(d + "/victim", d + "/out")
    if what == "output to nothing":
        os.symlink(d + "/new", d + "/out")
    if what == "private to output":
        os.makedirs(d + "/out")
        os.symlink(d + "/out", d + "/out-private")
    if what == "private below output":
        os.makedirs(d + "/out/x")
        os.symlink(d + "/out/x", d + "/out-private")
    if what == "_temporary":
        os.makedirs(d + "/out")
        os.symlink(d + "/victim", d + "/out/_temporary")
    if what == "private _temporary":
        os.makedirs(d + "/out-private", 0o700)
        os.symlink(d + "/victim", d + "/out-private/_temporary")
    if what == "notes":
        os.makedirs(d + "/out")
        os.makedirs(d + "/elsewhere")
        os.symlink(d + "/elsewhere", d + "/out/notes")
    if what == "findings into output":
        os.makedirs(d + "/out/f")
        os.makedirs(d + "/out-private", 0o700)
        os.symlink(d + "/out/f", d + "/out-private/findings")
    if what == "manifest":
        os.makedirs(d + "/out")
        os.symlink(d + "/victim/f", d + "/out/manifest.json")
    if what == "dangling manifest":
        os.makedirs(d + "/out")
        os.symlink(d + "/victim/g", d + "/out/manifest.json")
    if what == "_publishing":
        os.makedirs(d + "/out-private", 0o700)
        open(d + "/out-private/_publishing.json", "w").write(
            json.dumps({"output": ["../victim/f", "/victim/f"], "private": ["../victim/f"]})
        )
    r = run(argv(inp, d + "/out"), d)
    need(open(d + "/victim/f").read() == "mine", "somebody else's file was touched")
    need(
        sorted(os.listdir(d + "/victim")) == ["f"],
        "files were written to another place: " + str(os.listdir(d + "/victim")),
    )
    if r.rc == 0:
        for base_, _, fs in os.walk(d + "/out"):
            for x in fs:
                raw = open(os.path.join(base_, x), "rb").read()
                need(
                    not x.endswith(".parquet")
                    or b"quarantine" not in base_.encode()
                    and b"reason" not in raw[-4000:]
                    and b"output_start" not in raw,
                    "private data below the output: " + os.path.join(base_, x),
                )
    return f"exit {r.rc}"


for w in (
    "output to full",
    "output to nothing",
    "private to output",
    "private below output",
    "_temporary",
    "private _temporary",
    "notes",
    "findings into output",
    "manifest",
    "dangling manifest",
    "_publishing",
):
    add("f", "link: " + w, links, w)


def ports(d):
    inp, *_ = base("many")
    p = start(argv(inp, d + "/out"), d)
    seen = set()
    while p.poll() is None:
        try:
            ino = {
                os.readlink(f"/proc/{p.pid}/fd/{f}")[8:-1]
                for f in os.listdir(f"/proc/{p.pid}/fd")
                if os.readlink(f"/proc/{p.pid}/fd/{f}").startswith("socket")
            }
            for fn in ("tcp", "tcp6"):
                for l in open("/proc/net/" + fn).read().splitlines()[1:]:
                    x = l.split()
                    x[9] in ino and x[3] == "0A" and seen.add(x[1].rsplit(":", 1)[0])
        except OSError:
            pass
        time.sleep(0.05)
    bad = [
        a for a in seen if a not in ("0100007F", "00000000000000000000000001000000", "0000000000000000FFFF00000100007F")
    ]
    need(not bad, f"listens on all interfaces without authentication: {bad}")


add("f", "listening sockets", ports)


def names(d, base_, ok=True):
    f = put(d, notes(5), "i/" + base_)
    r = run(argv(d + "/i" if base_.endswith(".parquet") else f, d + "/out"), d)
    if r.rc == 0:
        correct([f], d + "/out")
        page = open(d + "/out/report.html").read()
        need("<script>alert" not in page and "<img" not in page, "file name is not escaped in report.html")
        need("\x1b" not in r.log, "escape sequence of a file name in the log")
    else:
        refused(d, d + "/out")
        need(len(base_) > 200, r.log[-300:])
    return f"exit {r.rc}"


for b in (
    "<script>alert(1)<",
    "a b.parquet",
    "x'\"&.parquet",
    "\x1b[31mred.parquet",
    "new\nline.parquet",
    "ünïcödé🎉.parquet",
    "%s%n.parquet",
    "-rf.parquet",
    "_hidden.parquet",
    ".dot.parquet",
    "[a].parquet",
    "a" * 240 + ".parquet",
    "a,b.parquet",
    "..parquet",
    "é" * 110 + ".parquet",
):
    add("f", f"file called {b[:30]!r}", names, b.replace("/", ""))


def odd_output(d, form):
    inp, ins, *_ = base("small")
    w = d + "/w"
    os.makedirs(w)
    open(d + "/log", "w").close()
    p = subprocess.run(argv(inp, form), cwd=w, env=environment(d), capture_output=True, timeout=IDLE)
    return p, w, ins


@case("f", "--output /")
def _(d):
    p, w, ins = odd_output(d, "/")
    need(
        p.returncode != 0 and not os.listdir(w),
        f"--output / writes into the working directory: {sorted(os.listdir(w))}",
    )


for form in (
    "out[1]",
    "out*",
    "out?",
    "out[",
    "out,b",
    "out\\x",
    "a://b",
    "file:///tmp/x",
    " out",
    "out/../o2",
    "./",
    "out//",
    "-out",
):

    def odd(d, form=form):
        p, w, ins = odd_output(d, form)
        log = p.stderr + p.stdout
        check_log(log)
        if p.returncode == 0:
            o = os.path.normpath(os.path.join(w, form))
            need(os.path.exists(o + "/_SUCCESS"), f"_SUCCESS is not at {form}: {os.listdir(w)}")
        return f"exit {p.returncode}"

    add("f", f"--output {form!r}", odd)
