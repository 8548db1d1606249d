"""Invented notes, with names and numbers that must never be seen again (CANARY)."""

import datetime
import os
import random

import pyarrow as pa
import pyarrow.parquet as pq

from options import WORK

NAMES = [("Zebulon", "Quackenbush"), ("Thessaly", "Oduyaremi"), ("Barnabas", "Wrzesniewski"), ("Perpetua", "Ixchelle")]
CANARY = [
    "Quackenbush",
    "Oduyaremi",
    "Wrzesniewski",
    "Ixchelle",
    "8841-7723-19",
    "617-555-0143",
    "219-09-9911",
    "zebq77@",
    "PATCANARY",
    "DOCCANARY",
]
BODY = (
    "Patient: {g} {f}   MRN: 8841-7723-19   Phone: 617-555-0143   SSN 219-09-9911\n"
    "Email: zebq77@example.org   Seen 3/{d}/2014 by Dr. Okonkwo.\n"
    "HPI: Mr. {f} is a 63 yo man with CHF, on furosemide 40 mg BID. BP 130/82, HR 77. Note {n}.\n"
    "A/P: continue; {f} will call on 04/{d}/2014.\n"
)


def notes(n, start=0, blob=0, seed=0):
    r = random.Random(seed)
    rows = dict(n=[], note_id=[], patient_id=[], text=[], title=[], tags=[], note_date=[], score=[], blob=[])
    for i in range(start, start + n):
        g, f = NAMES[i % 4]
        rows["n"].append(i)
        rows["note_id"].append(f"DOCCANARY-{i:06d}")
        rows["patient_id"].append(f"PATCANARY-{i % 4:04d}")
        rows["text"].append(BODY.format(g=g, f=f, d=1 + i % 28, n=i))
        rows["title"].append(["progress", "consult", "discharge"][i % 3])
        rows["tags"].append([None, [], ["a"], ["b", None, "c"]][i % 4])
        rows["note_date"].append(datetime.date(2014, 3, 1 + i % 28))
        rows["score"].append(None if i % 5 == 0 else i / 7)
        rows["blob"].append(r.randbytes(blob) if blob else b"x%d" % i)
    schema = pa.schema(
        [
            pa.field("n", pa.int64(), nullable=False),
            ("note_id", pa.string()),
            ("patient_id", pa.string()),
            ("text", pa.string()),
            ("title", pa.string()),
            ("tags", pa.list_(pa.string())),
            ("note_date", pa.date32()),
            ("score", pa.float64()),
            ("blob", pa.binary()),
        ],
        metadata={b"site": b"ward 7"},
    )
    return pa.table(rows, schema=schema)


CENSUS = os.path.join(WORK, "census.parquet")
pq.write_table(
    pa.table(
        {
            "patient_id": [f"PATCANARY-{i:04d}" for i in range(4)],
            "given_name": [g for g, _ in NAMES],
            "family_name": [f for _, f in NAMES],
            "mrn": ["8841-7723-19"] * 4,
            "ssn": ["219-09-9911"] * 4,
            "phone": ["617-555-0143"] * 4,
        }
    ),
    CENSUS,
)
