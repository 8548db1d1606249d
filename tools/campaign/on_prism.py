"""Cases of other classes once more, on Beam's Prism."""

import signal

from cases import R, add, scaled
from determinism import det
from kills import inject_case, kill_case
from runs import chosen
from together import race


def on_prism(d, f, *args):
    chosen.settings = ["--runner=prism"]
    try:
        return f(d, *args)
    finally:
        chosen.settings = []


for i in range(scaled(40)):
    kind = ["small", "many", "bad"][i % 3]
    sig = [signal.SIGKILL, signal.SIGKILL, signal.SIGTERM, signal.SIGINT][i % 4]
    add("p", f"{sig.name} {kind} #{i}", on_prism, kill_case, kind, sig, R.uniform(0.02, 1.15), i % 7 == 0)
for call in ("renameat2", "unlinkat"):
    for n in range(1, scaled(6) + 1):
        add("p", f"small SIGKILL at {call} {n}", on_prism, inject_case, "small", call, "signal=SIGKILL", n)
for kind in ("small", "many", "bad"):
    for extra in (["--workers", "1"], ["--batch_kb", "1"], ["--buckets", "3"]):
        add("p", f"{kind} {' '.join(extra)}", on_prism, det, kind, extra, {})
for i in range(scaled(4)):
    add("p", f"two keys, one output #{i}", on_prism, race, R.choice([0, 0.02, 0.1]), False)
