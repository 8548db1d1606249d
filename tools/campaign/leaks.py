"""Originals in released bytes."""

import glob
import json
import struct

import pyarrow as pa
import pyarrow.parquet as pq

from cases import add, case, put
from checks import EDITED, correct
from notes import CANARY, notes
from options import BIN, KEYFILE, ROOT
from runs import argv, need, run


# g. originals in released bytes
def leak(d, kw, opts, q):
    t = notes(40)
    if q:
        ids = t["note_id"].to_pylist()
        ids[5] = None
        ids[17] = ids[16]
        ids[39] = None
        t = t.set_column(1, "note_id", pa.array(ids))
        blob = t["blob"].to_pylist()
        ti = t["title"].to_pylist()
    if q:
        for i in (5, 17, 39):
            blob[i] = b"HELDBACKCANARY%d" % i
            ti[i] = f"zzHELDBACKCANARY{i}"
        t = t.set_column(8, "blob", pa.array(blob)).set_column(4, "title", pa.array(ti))
    t = t.replace_schema_metadata(
        {b"site": b"ward 7", b"pandas": json.dumps({"index_columns": [], "columns": []}).encode()}
    )
    try:
        f = put(d, t, **kw)
    except TypeError:
        return "skipped"
    r = run(argv(f, d + "/out", opts), d)
    need(r.rc == 0, r.log[-300:])
    edited = set(EDITED)
    correct(
        [f],
        d + "/out",
        edited=edited,
        canary=CANARY + (["HELDBACKCANARY"] if q else []),
        expect_q=3 if q else 0,
        schema=True,
    )
    raw = b"".join(open(x, "rb").read() for x in glob.glob(d + "/out/notes/*"))
    need(b"Patient: Zebu" not in raw and b"Patient: Thess" not in raw, "prefix of an original text")
    for day in (b"2014-03-0",):
        need(day not in raw, "original date")
    for x in glob.glob(d + "/out/notes/*"):
        md = pq.ParquetFile(x).metadata
        for g in range(md.num_row_groups):
            for j in range(md.num_columns):
                c = md.row_group(g).column(j)
                s = c.statistics
                if c.path_in_schema == "note_date" and s and s.has_min_max:
                    got = pq.ParquetFile(x).read_row_group(g, columns=["note_date"])["note_date"].to_pylist()
                    need(
                        s.min == min(got) and s.max == max(got),
                        "statistics of note_date are not those of the released values",
                    )


KW = [
    dict(compression="none"),
    dict(compression="none", use_dictionary=False),
    dict(compression="none", write_page_index=True, row_group_size=9),
    dict(
        compression="none",
        data_page_version="2.0",
        write_page_index=True,
        use_dictionary=False,
        data_page_size=200,
        write_batch_size=3,
    ),
    dict(compression="none", sorting_columns=[pq.SortingColumn(1)]),
    dict(
        compression="none", bloom_filter_options={"patient_id": True, "note_id": True, "title": True}, row_group_size=8
    ),
    dict(compression="none", version="1.0"),
    dict(compression="none", store_schema=False),
    dict(compression="none", write_page_checksum=True),
]
for i, kw in enumerate(KW):
    for q in (False, True):
        for opts in ([], ["--replacement", "tag"], ["--hipaa_mode", "safe-harbor"]):
            add("g", f"bytes {i} {'held back' if q else ''} {' '.join(opts)}", leak, kw, opts, q)


@case("g", "integer ids do not survive in statistics or indexes")
def _(d):
    t = notes(30)
    t = t.set_column(1, "note_id", pa.array([7700010000123000 + i for i in range(30)])).set_column(
        2, "patient_id", pa.array([8800020000456000 + i % 3 for i in range(30)])
    )
    f = put(d, t, compression="none", write_page_index=True, bloom_filter_options={"patient_id": True})
    r = run(argv(f, d + "/out", census=False), d)
    need(r.rc == 0, r.log)
    raw = b"".join(open(x, "rb").read() for x in glob.glob(d + "/out/notes/*"))
    for i in range(30):
        need(
            struct.pack("<q", 7700010000123000 + i) not in raw
            and struct.pack("<q", 8800020000456000 + i % 3) not in raw,
            "an original integer id is in the bytes",
        )


@case("g", "pandas index and attributes")
def _(d):

    df = notes(12).to_pandas().set_index("note_id")
    df.attrs["source"] = "Zebulon Quackenbush"
    t = pa.Table.from_pandas(df)
    f = put(d, t)
    r = run(argv(f, d + "/out", census=False), d)
    need(r.rc == 0, r.log)
    m = pq.ParquetFile(glob.glob(d + "/out/notes/*")[0]).metadata.metadata
    s = repr(m)
    need(
        "Quackenbush" not in s,
        "DataFrame.attrs of the input go into the output's metadata (documented: metadata pass through)",
    )


@case("g", "accepted surfaces of findings do not stay in the row's text")
def _(d):
    src = ROOT + "/examples/notes.parquet"
    t = pq.read_table(src).slice(0, 120)
    f = put(d, t)
    r = run(
        [
            BIN,
            "--input",
            f,
            "--output",
            d + "/out",
            "--private",
            d + "/out-private",
            "--private_beside_output",
            "--key",
            "file:" + KEYFILE,
            "--identifiers",
            ROOT + "/examples/identifiers.parquet",
            "--other_columns",
            "keep",
            "--accept_columns",
            "note_title,orders.list.element.code",
            "--date_columns",
            "note_date,written_at,admitted_at",
            "--ids",
            "keep",
            "--model",
            ROOT + "/onnx/models/en-clinical",
            "--row_order",
            "keep",
        ],
        d,
    )
    need(r.rc == 0, r.log[-300:])
    o = pq.read_table(glob.glob(d + "/out/notes/*")[0])
    fi = pq.read_table(glob.glob(d + "/out-private/findings/*")[0]).to_pylist()
    by = {str(a): (x, y) for a, x, y in zip(t["note_id"].to_pylist(), t["text"].to_pylist(), o["text"].to_pylist())}
    bad = 0
    gaps = {}
    for s in fi:
        x, y = by[str(s["document_id"])]
        gaps.setdefault(str(s["document_id"]), []).append(s)
        if (
            s["type"] in ("PATIENT", "DOCTOR", "PHONE", "MEDICALRECORD", "EMAIL", "SSN")
            and len(x[s["start"] : s["end"]]) > 5
        ):
            bad += x[s["start"] : s["end"]] in y
    for k, ss in gaps.items():
        x, y = by[k]
        ss.sort(key=lambda s: s["start"])
        a = b = 0
        for s in ss + [dict(start=len(x), output_start=len(y), end=0, output_end=0)]:
            need(x[a : s["start"]] == y[b : s["output_start"]], "text outside of spans changed")
            a, b = s["end"], s["output_end"]
    need(bad == 0, f"{bad} accepted surfaces are still in their note")
