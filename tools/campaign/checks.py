"""What must hold of a run that has ended, well or not, with pyarrow as a second reader."""

import glob
import hashlib
import json
import os
import stat

import pyarrow as pa
import pyarrow.parquet as pq

from notes import CANARY
from options import KEY
from runs import Bad, need


def tree(root):
    "relative path -> mode, digest"
    out = {}
    for base, dirs, files in os.walk(root):
        for x in dirs + files:
            p = os.path.join(base, x)
            st = os.lstat(p)
            out[os.path.relpath(p, root)] = (
                oct(st.st_mode),
                hashlib.sha256(open(p, "rb").read()).hexdigest() if stat.S_ISREG(st.st_mode) else "",
            )
    return out


def leftovers(*roots):
    for r in roots:
        for p in tree(r):
            need(
                "_temporary" not in p and "palimpsest-tmp" not in p and "_publishing" not in p,
                f"left over: {os.path.basename(r)}/{p}",
            )


def no_temp(d):
    left = [os.path.basename(f) for f in glob.glob(os.path.join(d, "tmp", "*"))]
    need(not left, f"temporary files left: {left}")


def refused(d, out, what="", fresh=True):
    "after an error: nothing that looks like a result"
    need(not os.path.exists(os.path.join(out, "_SUCCESS")), "_SUCCESS after an error " + what)
    if fresh:
        for p in tree(out):
            amid = (
                glob.glob(os.path.join(out + "-private", "_publishing.json"))
                or glob.glob(os.path.join(d, "priv", "_publishing.json"))
                or glob.glob(os.path.join(d, "m", "*", "_publishing.json"))
            )
            need(
                not p.endswith(".parquet") or "_temporary" in p or amid,
                f"a note file was published by a failed run: {p}",
            )  # documented: amid publishing some are there, without _SUCCESS
        for p in tree(out):  # nothing private below output, and no plain text of a canary
            f = os.path.join(out, p)
            if os.path.isfile(f):
                raw = open(f, "rb").read()
                for c in CANARY:
                    need(c.encode() not in raw, f"{c} in {p} below the output of a failed run")


EDITED = {"note_id", "patient_id", "text", "note_date"}


def released(out):
    m = json.load(open(os.path.join(out, "manifest.json")))
    tables, q = [], 0
    for o in m["outputs"]:
        f = os.path.join(out, o["name"])
        need(
            hashlib.sha256(open(f, "rb").read()).hexdigest() == o["sha256"],
            "digest of the manifest is not the file's: " + o["name"],
        )
        t = pq.ParquetFile(f)
        need(t.metadata.num_rows == o["rows"], "rows of the manifest")
        tables.append(t)
        q += o["quarantined"]
    found = sum(1 for p in tree(os.path.join(out, "notes")) if p.endswith(".parquet"))
    need(found == len(tables), "files that the manifest does not name")
    return m, tables, q


def quarantine(priv):
    fs = sorted(glob.glob(os.path.join(priv, "quarantine", "**", "*.parquet"), recursive=True))
    return [r for f in fs for r in pq.ParquetFile(f).read().to_pylist()]


def correct(inputs, out, priv=None, edited=EDITED, row="n", canary=CANARY, groups=True, expect_q=None, schema=True):
    "a finished run: rows, schema, order, untouched columns, permissions, no leftovers, no originals"
    priv = priv or out + "-private"
    need(os.path.exists(os.path.join(out, "_SUCCESS")), "no _SUCCESS after exit 0")
    leftovers(out, priv)
    need(stat.S_IMODE(os.stat(priv).st_mode) == 0o700, "private folder is " + oct(os.stat(priv).st_mode))
    m, files, q = released(out)
    ins = [pq.ParquetFile(f) for f in inputs]
    rows_in = sum(f.metadata.num_rows for f in ins)
    rows_out = sum(f.metadata.num_rows for f in files)
    need(rows_in == rows_out + q, f"{rows_in} in, {rows_out} out, {q} quarantined")
    held = quarantine(priv)
    need(len(held) == q, f"{len(held)} rows in quarantine, {q} in the manifest")
    if expect_q is not None:
        need(q == expect_q, f"{q} quarantined instead of {expect_q}: " + str([h.get("reason") for h in held][:5]))
    if schema:
        for f in files:
            need(f.schema_arrow.equals(ins[0].schema_arrow, check_metadata=True), "schema or metadata changed")
    tin = pa.concat_tables([f.read() for f in ins])
    tout = pa.concat_tables([f.read() for f in files])
    if row and q:  # leave the quarantined rows out
        gone = {h[row] for h in held}
        keep = pa.array([v not in gone for v in tin[row].to_pylist()])
        tin = tin.filter(keep)
    for c in tin.column_names:
        if c not in edited and (row or not q):
            need(
                tin[c].equals(tout[c])
                or tin[c].to_pylist() == tout[c].to_pylist()
                or repr(tin[c].to_pylist()) == repr(tout[c].to_pylist()),
                f"column {c} changed",
            )
    if not q and groups:
        need([g for f in ins for g in rg(f)] == [g for f in files for g in rg(f)], "row groups changed")
        raw_equal(inputs, ins, [os.path.join(out, o["name"]) for o in m["outputs"]], files, edited)
    if canary:
        for base, _, fs in os.walk(out):
            for x in fs:
                raw = open(os.path.join(base, x), "rb").read()
                need(KEY.encode() not in raw, "key in " + x)
                for c in canary:
                    need(c.encode() not in raw and c not in x, f"{c} in the bytes of {x}")
        for c in tout.column_names:
            s = repr(tout[c].to_pylist())
            for k in canary:
                need(k not in s, f"{k} in released column {c}")
        for f in files:
            s = repr(f.metadata.metadata) + "".join(
                repr(f.metadata.row_group(i).column(j).statistics)
                for i in range(f.metadata.num_row_groups)
                for j in range(f.metadata.num_columns)
            )
            for k in canary:
                need(k not in s, f"{k} in metadata or statistics")
    return tin, tout, m


def rg(f):
    return [
        n for n in (f.metadata.row_group(i).num_rows for i in range(f.metadata.num_row_groups)) if n
    ]  # documented: empty ones go


def chunk(raw, c):
    start = min(x for x in (c.data_page_offset, c.dictionary_page_offset or c.data_page_offset) if x)
    return raw[start : start + c.total_compressed_size]


def raw_equal(inputs, ins, outs, files, edited):
    if len(ins) != len(files):
        return
    for i, fi, o, fo in zip(inputs, ins, outs, files):
        ri, ro = open(i, "rb").read(), open(o, "rb").read()
        for g in range(min(fi.metadata.num_row_groups, fo.metadata.num_row_groups)):
            for j in range(fi.metadata.num_columns):
                ci, co = fi.metadata.row_group(g).column(j), fo.metadata.row_group(g).column(j)
                need(ci.compression == co.compression, f"codec of {ci.path_in_schema} changed")
                if ci.path_in_schema.split(".")[0] not in edited and ci.total_compressed_size:
                    if chunk(ri, ci) != chunk(ro, co) and "DICTIONARY" not in str(ci.encodings):
                        raise Bad(f"stored bytes of untouched {ci.path_in_schema} changed")
