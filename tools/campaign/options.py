"""Settings of the campaign, read from the command line."""

import argparse
import hashlib
import os

parser = argparse.ArgumentParser(
    prog="campaign",
    description="Runs the program many hundred times with injected faults and hostile inputs, "
    "and checks after each run what the project promises, with pyarrow as a second reader.",
)
parser.add_argument("binary")
parser.add_argument("work", help="a folder for what cases leave; failed ones stay there")
parser.add_argument("--only", default="", help="classes, such as a,k; without it all but x (Flink)")
parser.add_argument("--match", default="", help="an expression that names of cases must hold")
parser.add_argument("--jobs", type=int, default=2)
parser.add_argument("--seed", type=int, default=1)
parser.add_argument("--scale", type=float, default=1.0, help="of the number of random cases")
parser.add_argument(
    "--again", action="store_true", help="run again what failed in this folder, and count the rest as it was"
)
parser.add_argument("--keep", action="store_true", help="keep the folders of cases that passed, too")
parser.add_argument("--table", default="", help="write the counts into this page, between its marks")
A = parser.parse_args()

BIN, WORK = os.path.abspath(A.binary), os.path.abspath(A.work)
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
FAST = os.path.join(ROOT, "onnx/models/en-clinical-fast")

os.makedirs(WORK, exist_ok=True)
KEY = hashlib.sha256(b"campaign key %d" % A.seed).hexdigest()
KEYFILE = os.path.join(WORK, "key")
with open(KEYFILE, "w") as f:
    f.write(KEY + "\n")
os.chmod(KEYFILE, 0o600)

TIMEOUT = 240  # seconds of CPU for one run
IDLE = 300  # seconds that a run may go without any
REFUSED = (1, 64, 65, 75)  # exit statuses of a run that says why it did not do the work
