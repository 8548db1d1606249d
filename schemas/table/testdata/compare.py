"""Compares rewritten Parquet files with their inputs, by pyarrow and, where
they are installed, DuckDB and polars. Reads lines of JSON from standard input;
prints what differs and ends with 1 if anything does."""
import datetime as dt, json, os, sys

import pyarrow as pa, pyarrow.parquet as pq

try:
    import duckdb, pytz  # DuckDB needs it for timestamps
except ImportError:
    duckdb = None
os.environ["POLARS_IMPORT_INTERVAL_AS_STRUCT"] = "1"  # it reads no INTERVAL else
os.environ["RUST_BACKTRACE"] = "0"
try:
    import polars
except ImportError:
    polars = None

bad = []


def rows(column):
    """exact values: timestamps and times as integers, the rest by repr, which
    tells -0.0 from 0.0 and lets nan equal nan"""
    t = column.type
    if pa.types.is_timestamp(t) or pa.types.is_time64(t):
        column = column.cast(pa.int64())
    return [repr(v) for v in column.to_pylist()]


def check(ok, *what):
    if not ok:
        bad.append(" ".join(map(str, what)))


for line in sys.stdin:
    job = json.loads(line)
    name, out_name = job["input"], job["output"]
    a, b = pq.read_table(name, coerce_int96_timestamp_unit="us"), pq.read_table(out_name, coerce_int96_timestamp_unit="us")
    fa, fb = pq.ParquetFile(name), pq.ParquetFile(out_name)
    gone = set(job["gone"])
    keep = pa.array([i for i in range(a.num_rows) if i not in gone], pa.int64())
    check(a.schema.equals(b.schema, check_metadata=True), name, "Arrow schema differs")
    check(fa.schema.equals(fb.schema) and str(fa.schema).split("\n")[1:] == str(fb.schema).split("\n")[1:], name, "Parquet schema differs")
    check(fa.metadata.metadata == fb.metadata.metadata, name, "key-value metadata differs")
    check(b.num_rows == len(keep), name, "has", b.num_rows, "rows, want", len(keep))
    if "/pandas" in name:
        # The index that pandas keeps in the metadata may no longer fit the rows.
        check(len(b.to_pandas()) == len(keep), name, "rows, as pandas reads them")
    if not gone:
        ga = [fa.metadata.row_group(i).num_rows for i in range(fa.num_row_groups)]
        gb = [fb.metadata.row_group(i).num_rows for i in range(fb.num_row_groups)]
        check([n for n in ga if n] == gb, name, "row groups", gb, "want", ga)
    for i in range(min(fb.num_row_groups, fa.num_row_groups)):
        for j in range(fa.metadata.num_columns):
            check(fa.metadata.row_group(i).column(j).compression == fb.metadata.row_group(i).column(j).compression, name, "codec of column", j)
    for i in range(fb.num_row_groups):
        group = fb.metadata.row_group(i)
        values = fb.read_row_group(i)
        for j in range(fb.metadata.num_columns):
            c = group.column(j)
            s = c.statistics
            if s is None or "." in c.path_in_schema:
                continue
            v = values.column(c.path_in_schema)
            if s.has_null_count:
                check(s.null_count == v.null_count, name, c.path_in_schema, "null count of the statistics")
            if s.has_min_max and pa.types.is_string(v.type) and v.null_count < len(v):
                p = sorted(x for x in v.to_pylist() if x is not None)
                check(s.min <= p[0] and s.max >= p[-1], name, c.path_in_schema, "bounds of the statistics")
            elif s.has_min_max and (pa.types.is_integer(v.type) or pa.types.is_date(v.type)) and v.null_count < len(v):
                p = [x for x in v.to_pylist() if x is not None]
                check(s.min <= min(p) and s.max >= max(p), name, c.path_in_schema, "bounds of the statistics", s.min, s.max)
    for column in a.column_names:
        x, y = rows(a.column(column).take(keep)), rows(b.column(column))
        if column in job["dates"]:
            t = a.schema.field(column).type
            unit = {"ms": 86400 * 10**3, "us": 86400 * 10**6, "ns": 86400 * 10**9}.get(getattr(t, "unit", ""), None)
            if pa.types.is_date(t):
                x = [v if v == "None" else repr(eval(v, {"datetime": dt}) + dt.timedelta(days=job["shift"])) for v in x]
            else:
                x = [v if v == "None" else repr(int(v) + job["shift"] * unit) for v in x]
        elif column in job["texts"]:
            x = [repr("«" + v.upper() + "»") if v is not None else "None" for v in a.column(column).take(keep).to_pylist()]
        elif column in job["ids"]:
            check(len(x) == len(y) and all((p == "None") == (q == "None") and (p != q or p == "None") for p, q in zip(x, y)), name, column, "ids unchanged")
            continue
        check(x == y, name, column, "differs", [(p, q) for p, q in zip(x, y) if p != q][:2])
    if job["quarantine"]:
        q = pq.read_table(job["quarantine"], coerce_int96_timestamp_unit="us")
        check(q.column_names == a.column_names + ["reason"], name, "quarantine columns")
        for column in a.column_names:
            want = a.column(column).take(sorted(gone))
            got = q.column(column)
            if want.type != got.type and not pa.types.is_nested(want.type):
                # The Arrow schema is gone, so that Parquet's own types show.
                want = want.cast(got.type)
            check(rows(want) == rows(got), name, column, "differs in the quarantine")
    if duckdb and b.num_rows:
        con = duckdb.connect()
        x = con.execute(f"SELECT * FROM read_parquet('{name}', file_row_number=true) ORDER BY file_row_number").fetchall()
        y = con.execute(f"SELECT * FROM read_parquet('{out_name}', file_row_number=true) ORDER BY file_row_number").fetchall()
        names = [d[0] for d in con.description][:-1]
        x = [x[i] for i in keep.to_pylist()]
        for j, column in enumerate(names):
            if column in job["dates"] + job["texts"] + job["ids"]:
                continue
            check([repr(r[j]) for r in x] == [repr(r[j]) for r in y], name, column, "differs, as DuckDB reads it")
        for column in job["texts"]:
            old = con.execute(f"SELECT count(*) FROM read_parquet('{out_name}') WHERE \"{column}\" IN (SELECT \"{column}\" FROM read_parquet('{name}') WHERE \"{column}\" <> '')").fetchone()[0]
            check(old == 0, name, column, "still has", old, "old texts, as DuckDB reads it")
    if polars and b.num_rows:
        try:
            x = polars.read_parquet(name, use_pyarrow=False)
        except BaseException:  # polars does not read every input
            continue
        y = polars.read_parquet(out_name, use_pyarrow=False)
        check(x.schema == y.schema, name, "schema differs, as polars reads it")
        check(y.height == len(keep), name, "has", y.height, "rows, as polars reads it")
        for column in x.columns:
            if column in job["dates"] + job["texts"] + job["ids"]:
                continue
            check([repr(v) for v in x[column].gather(keep.to_pylist()).to_list()] == [repr(v) for v in y[column].to_list()], name, column, "differs, as polars reads it")
print("\n".join(bad))
sys.exit(1 if bad else 0)
