"""Parquet of many writers, odd files and mutants."""

import datetime
import random
import struct

import pyarrow as pa
import pyarrow.parquet as pq

from cases import add, case, put, scaled
from checks import EDITED, correct, leftovers, refused, released
from notes import notes
from options import REFUSED, A
from runs import Bad, argv, need, run


# c. Parquet of many kinds
def with_(t, name, col):
    return t.append_column(name, col)


def nested(n):
    return pa.array(
        [
            None if i % 6 == 0 else {"a": i, "b": [{"c": "x", "d": None}] * (i % 3), "m": [("k", 1.5)] if i % 2 else []}
            for i in range(n)
        ],
        pa.struct(
            [
                ("a", pa.int32()),
                ("b", pa.list_(pa.struct([("c", pa.string()), ("d", pa.float32())]))),
                ("m", pa.map_(pa.string(), pa.float64())),
            ]
        ),
    )


N0 = notes(24)
T0 = with_(N0, "deep", nested(24))
T0 = (
    T0.append_column("cat", pa.array(["x", "y", None] * 8).dictionary_encode())
    .append_column("ts", pa.array([datetime.datetime(2014, 3, 1 + i) for i in range(24)], pa.timestamp("us", tz="UTC")))
    .append_column("dec", pa.array(list(range(24))).cast(pa.decimal128(30, 2)))
    .append_column("fix", pa.array([b"0123456789ab"] * 24, pa.binary(12)))
    .append_column("bool", pa.array([True, None] * 12))
    .append_column("f16", pa.array([1.5] * 24, pa.float16()))
    .append_column("nul", pa.nulls(24))
    .append_column("big", pa.array(["y"] * 24, pa.large_string()))
)
WRITERS = {}
for codec in ("none", "snappy", "gzip", "brotli", "zstd", "lz4"):
    for v in ("1.0", "2.0"):
        WRITERS[f"{codec} v{v}"] = (T0, dict(compression=codec, data_page_version=v, row_group_size=10))
WRITERS.update(
    {
        "no dictionary": (T0, dict(use_dictionary=False)),
        "checksums": (T0, dict(write_page_checksum=True, compression="none")),
        "page index": (T0, dict(write_page_index=True, row_group_size=7)),
        "small pages": (T0, dict(data_page_size=64, write_batch_size=2, use_dictionary=False)),
        "small pages v2 index": (
            T0,
            dict(data_page_size=64, write_batch_size=2, data_page_version="2.0", write_page_index=True),
        ),
        "no statistics": (T0, dict(write_statistics=False)),
        "no arrow schema": (T0.drop_columns(["cat", "nul"]), dict(store_schema=False)),
        "v1.0 format": (T0.drop_columns(["f16"]), dict(version="1.0")),
        "v2.4": (T0, dict(version="2.4")),
        "byte stream split": (T0, dict(use_byte_stream_split=["score"], use_dictionary=False)),
        "delta": (
            N0,
            dict(
                use_dictionary=False,
                column_encoding={
                    "text": "DELTA_LENGTH_BYTE_ARRAY",
                    "note_id": "DELTA_BYTE_ARRAY",
                    "n": "DELTA_BINARY_PACKED",
                },
            ),
        ),
        "one row groups": (T0, dict(row_group_size=1)),
        "sorting": (N0, dict(sorting_columns=[pq.SortingColumn(1), pq.SortingColumn(0)])),
        "zero rows": (T0.slice(0, 0), {}),
        "int96": (
            T0.drop_columns(["note_date"]).append_column("note_date", pa.array([datetime.datetime(2014, 3, 1)] * 24)),
            dict(use_deprecated_int96_timestamps=True),
        ),
        "weird names": (
            with_(
                with_(with_(N0, "a.b c\n\"'é🎉", pa.array([1] * 24)), "", pa.array([2] * 24)),
                "../../etc",
                pa.array([3] * 24),
            ),
            {},
        ),
        "large strings": (N0.set_column(3, "text", N0["text"].cast(pa.large_string())), {}),
        "text as dictionary": (N0.set_column(3, "text", N0["text"].dictionary_encode()), {}),
        "view strings": (N0.set_column(3, "text", N0["text"].cast(pa.string_view())), {}),
        "text as binary": (N0.set_column(3, "text", N0["text"].cast(pa.binary())), {}),
        "bloom filters": (N0, dict(bloom_filter_options={"patient_id": True, "note_id": True, "title": True})),
    }
)


def writer(d, name):
    t, kw = WRITERS[name]
    try:
        f = put(d, t, **kw)
    except TypeError:
        return "skipped: pyarrow lacks it"
    r = run(argv(f, d + "/out"), d)
    if r.rc:
        refused(d, d + "/out")
        need(name in ("int96", "zero rows!"), "a valid file is refused: " + r.log[-300:])
        return "refused: " + r.log[-160:]
    correct([f], d + "/out", expect_q=0)


for name in WRITERS:
    add("c", "writer " + name, writer, name)


@case("c", "no row groups")
def _(d):
    f = d + "/in.parquet"
    pq.ParquetWriter(f, N0.schema).close()
    r = run(argv(f, d + "/out"), d)
    need(r.rc == 0, r.log)
    correct([f], d + "/out")


@case("c", "10,000 row groups")
def _(d):
    t = notes(10000)
    f = put(
        d,
        t.select(["n", "note_id", "patient_id", "note_date"]).append_column(
            "text", pa.array([f"Seen by Dr. Quackenbush {i}" for i in range(10000)])
        ),
        row_group_size=1,
    )
    r = run(argv(f, d + "/out"), d)
    need(r.rc == 0, r.log)
    correct([f], d + "/out")


@case("c", "one row group of 5,000 rows")
def _(d):
    f = put(d, notes(5000), row_group_size=5000)
    r = run(argv(f, d + "/out"), d)
    need(r.rc == 0, r.log)
    correct([f], d + "/out")


@case("c", "duplicate column names")
def _(d):
    f = put(
        d,
        pa.table(
            [N0["n"], N0["note_id"], N0["patient_id"], N0["text"], N0["note_date"], N0["title"], N0["score"]],
            names=["n", "note_id", "patient_id", "text", "note_date", "x", "x"],
        ),
    )
    r = run(argv(f, d + "/out"), d)
    need(r.rc == 0, r.log)
    o = released(d + "/out")[1][0].read()
    need(o.column(5).equals(N0["title"]) and o.column(6).to_pylist() == N0["score"].to_pylist(), "changed")


@case("c", "two text columns of one name")
def _(d):
    f = put(
        d,
        pa.table(
            [N0["note_id"], N0["patient_id"], N0["text"], N0["text"], N0["note_date"]],
            names=["note_id", "patient_id", "text", "text", "note_date"],
        ),
    )
    r = run(argv(f, d + "/out"), d)
    need(r.rc in REFUSED and "more than once" in r.log, r.log)


@case("c", "encrypted")
def _(d):
    import pyarrow.parquet.encryption as pe

    class K(pe.KmsClient):
        def wrap_key(s, k, m):
            import base64

            return base64.b64encode(k)

        def unwrap_key(s, k, m):
            import base64

            return base64.b64decode(k)

    for plain in (False, True):
        props = pe.CryptoFactory(lambda c: K()).file_encryption_properties(
            pe.KmsConnectionConfig(),
            pe.EncryptionConfiguration(footer_key="f", column_keys={"k": ["text"]}, plaintext_footer=plain),
        )
        f = f"{d}/e{plain}.parquet"
        w = pq.ParquetWriter(f, N0.schema, encryption_properties=props)
        w.write_table(N0)
        w.close()
        r = run(argv(f, d + "/out"), d)
        need(r.rc in REFUSED and "encrypted" in r.log, r.log)
        refused(d, d + "/out")


for what in (
    "",
    "PAR1",
    "PAR1PAR1",
    "PAR1\0\0\0\0PAR1",
    "PAR1" + "\0" * 100 + "\xff\xff\xff\x7fPAR1",
    "PAR1\x15\x00\x01\0\0\0PAR1",
    "{" * 500,
):

    def junk(d, what=what):
        f = d + "/in.parquet"
        open(f, "wb").write(what.encode("latin1"))
        r = run(argv(f, d + "/out"), d)
        need(r.rc in REFUSED, "ran")
        refused(d, d + "/out")

    add("c", f"junk {what[:12]!r}", junk)


def bomb(d, mb, codec):
    t = notes(3)
    x = t["text"].to_pylist()
    x[1] = "a" * (mb << 20)
    f = put(d, t.set_column(3, "text", pa.array(x)), compression=codec)
    r = run(["bash", "-c", 'ulimit -v 8000000; exec "$@"', "x"] + argv(f, d + "/out"), d)
    need(r.rc == 0, r.log[-200:])
    correct([f], d + "/out", expect_q=1)


for mb, codec in ((60, "zstd"), (300, "zstd"), (300, "gzip")):
    add("c", f"text of {mb} MB in {codec}", bomb, mb, codec)


def mutant(d, i):
    """Bytes flipped. Either an error and no output, or what pyarrow reads in the mutant."""
    r = random.Random(f"{A.seed} mutant {i}")
    name = r.choice(list(WRITERS))
    t, kw = WRITERS[name]
    try:
        f = put(d, t, **kw)
    except TypeError:
        f = put(d, t)
    raw = bytearray(open(f, "rb").read())
    foot = struct.unpack("<I", raw[-8:-4])[0] + 8
    where = r.choice(["footer", "footer", "data", "data", "any", "cut", "chunkhead"])
    for _ in range(r.choice([1, 1, 1, 2, 8])):
        lo, hi = {
            "footer": (len(raw) - foot, len(raw)),
            "data": (4, len(raw) - foot),
            "chunkhead": (4, min(400, len(raw) - foot)),
        }.get(where, (0, len(raw)))
        at = r.randrange(lo, max(hi, lo + 1))
        raw[at] = r.choice([0, 255, raw[at] ^ (1 << r.randrange(8)), r.randrange(256)])
    if where == "cut":
        a = r.randrange(4, len(raw) - 12)
        del raw[a : a + r.randrange(1, 9)]
    open(f, "wb").write(raw)
    check_mutant(d, f, name, t)


def values(col):
    if pa.types.is_string(col.type) or pa.types.is_large_string(col.type):
        col = col.cast(pa.large_binary())
    try:
        return repr(col.to_pylist())
    except UnicodeDecodeError:
        return (
            repr([c.buffers() and [b and b.to_pybytes() for b in c.buffers()] for c in col.chunks])
            if len(col.chunks) == 1
            else repr(len(col))
        )


def by_pyarrow(f):
    """Reads a mutant. Where Arrow's own schema is damaged, which the job leaves out, the rest without it."""
    try:
        return pq.ParquetFile(f, page_checksum_verification=True).read()
    except pa.ArrowInvalid as e:
        if "base64" not in str(e):
            raise
    raw = open(f, "rb").read()
    open(f, "wb").write(raw.replace(b"ARROW:schema", b"XRROW:schema"))
    return pq.ParquetFile(f, page_checksum_verification=True).read()


def check_mutant(d, f, name, original=None):
    # canaries are not looked for in the output: a flipped name is no name of the census
    res = run(
        ["bash", "-c", 'ulimit -v 12000000; exec "$@"', "x"] + argv(f, d + "/out"),
        d,
        limit=120,
        canary=["Quackenbush", "Wrzesniewski", "219-09-9911"],
    )
    if res.rc:
        refused(d, d + "/out")
        return "refused"
    try:
        m, files, q = released(d + "/out")
    except (pa.ArrowException, OSError) as e:
        try:
            pq.ParquetFile(f)
        except (pa.ArrowException, OSError) as e2:
            return "pyarrow opens neither the mutant nor the output: " + str(e2)[:80]  # passed through
        raise Bad(f"pyarrow opens the mutant, but not the output: {e} ({name})")
    leftovers(d + "/out", d + "/out-private")
    try:
        whole = by_pyarrow(f)
    except Exception as e:
        whole = None
        why = str(e)[:120]
    rows = sum(x.metadata.num_rows for x in files)
    if whole is None and original is not None and q == 0:
        # The damage may be where it tells nothing: then all must be as it was before.
        try:
            out = pa.concat_tables([x.read() for x in files])
        except Exception:
            out = None
        same = out is not None and rows == len(original) and out.column_names == original.column_names
        if same and all(c in EDITED or values(original[c]) == values(out[c]) for c in original.column_names):
            return "pyarrow refuses it, and what is released is what was there before the damage"
    if whole is None:
        # pyarrow refuses the mutant. Fine only if every column that was encoded anew can be read
        try:
            i = pq.ParquetFile(f, page_checksum_verification=True)
            i.read(columns=["note_id", "patient_id", "text", "note_date"])
        except Exception:
            raise Bad(f"pyarrow refuses the configured columns ({why}), the job released {rows} rows ({name})")
        return "untouched column damaged and copied"
    need(len(whole) == rows + q, f"{len(whole)} rows by pyarrow, {rows} released, {q} quarantined ({name})")
    out = pa.concat_tables([x.read() for x in files])
    if q == 0:
        for c in whole.column_names:
            if c not in EDITED:
                need(
                    whole[c].equals(out[c]) or values(whole[c]) == values(out[c]),
                    f"column {c} is not what pyarrow reads ({name})",
                )
        a, b = whole["text"].cast(pa.large_binary()).to_pylist(), out["text"].cast(pa.large_binary()).to_pylist()
        for x, y in zip(a, b):
            x = x.decode("utf8", "replace") if isinstance(x, bytes) else x
            y = y.decode("utf8", "replace") if isinstance(y, bytes) else y
            need((x is None) == (y is None), "null text appeared or went")
            if x and "furosemide 40 mg" in x:
                need("furosemide 40 mg" in y, f"text lost outside of spans ({name})")


for i in range(scaled(230)):
    add("c", f"mutant {i}", mutant, i)


def crc_mutant(d, i):
    "page checksums: a damaged page of a configured column must not be released"
    r = random.Random(f"{A.seed} checksums {i}")
    v = r.choice(["1.0", "2.0"])
    f = put(
        d,
        N0,
        write_page_checksum=True,
        compression=r.choice(["none", "snappy", "zstd"]),
        data_page_version=v,
        use_dictionary=r.random() < 0.5,
    )
    c = pq.ParquetFile(f).metadata.row_group(0).column(r.choice([1, 2, 3, 3, 3, 4, 8]))
    raw = bytearray(open(f, "rb").read())
    start = c.dictionary_page_offset or c.data_page_offset
    at = r.randrange(start + 40, start + c.total_compressed_size)
    raw[at] ^= 1 << r.randrange(8)
    open(f, "wb").write(raw)
    check_mutant(d, f, "crc", N0)


for i in range(scaled(30)):
    add("c", f"mutant with checksums {i}", crc_mutant, i)
