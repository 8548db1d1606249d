#!/usr/bin/env python3
"""Writes the Parquet files of this folder: one small table, by several
writers, in many forms. Run it once, with pyarrow, duckdb, polars and pandas
installed; the files are committed, so that the tests need no Python.

All people and notes are made up.
"""
import datetime as dt, decimal, json, os

import duckdb, numpy as np, pandas as pd, polars as pl, pyarrow as pa, pyarrow.parquet as pq

here = os.path.dirname(os.path.abspath(__file__))
N = 40


def path(name):
    return os.path.join(here, name + ".parquet")


def every(k, values):
    """values with a null at each k-th place"""
    return [None if i % k == k - 1 else v for i, v in enumerate(values)]


day0 = dt.date(1999, 12, 20)
ts0 = dt.datetime(2001, 2, 3, 4, 5, 6, 789012)
notes = [f"Seen by Dr. Vane on {day0 + dt.timedelta(days=i)}.\nMrs. Ütterström, née Ó, number {i}. " + "Stable. " * (i % 7) for i in range(N)]


def columns():
    D = decimal.Decimal
    c = {}
    c["note_id"] = pa.array([f"n{i:04d}" for i in range(N)])
    c["patient_id"] = pa.array(every(9, [1000 + i // 4 for i in range(N)]), pa.int64())
    c["text"] = pa.array(every(11, notes))
    c["addendum"] = pa.array(every(3, [None if i % 5 else "" for i in range(N)]), pa.string())
    c["day"] = pa.array(every(7, [day0 + dt.timedelta(days=i) for i in range(N)]), pa.date32())
    c["ts_ms"] = pa.array(every(6, [ts0 + dt.timedelta(hours=7 * i) for i in range(N)]), pa.timestamp("ms"))
    c["ts_us"] = pa.array([ts0 - dt.timedelta(days=400 * i) for i in range(N)], pa.timestamp("us", "UTC"))
    c["ts_ns"] = pa.array(every(5, [10**18 + i * 10**15 + i for i in range(N)]), pa.timestamp("ns", "America/New_York"))
    c["visit"] = pa.array([i * 7 for i in range(N)], pa.uint32())
    c["account"] = pa.array([2**64 - 1 - i for i in range(N)], pa.uint64())
    c["i8"] = pa.array([i - 20 for i in range(N)], pa.int8())
    c["u8"] = pa.array([i + 200 for i in range(N)], pa.uint8())
    c["i16"] = pa.array(every(4, [i * -100 for i in range(N)]), pa.int16())
    c["flag"] = pa.array(every(8, [i % 3 == 0 for i in range(N)]))
    c["f32"] = pa.array(every(10, [float("nan") if i == 3 else -0.0 if i == 4 else i / 3 for i in range(N)]), pa.float32())
    c["f64"] = pa.array([float("nan") if i % 13 == 3 else -0.0 if i == 4 else float("-inf") if i == 5 else i / 7 for i in range(N)])
    c["f16"] = pa.array(np.array([i / 2 for i in range(N)], dtype=np.float16))
    c["dec9"] = pa.array(every(7, [D(i - 20) / 100 for i in range(N)]), pa.decimal128(9, 2))
    c["dec18"] = pa.array([D(i - 20) * 10**9 for i in range(N)], pa.decimal128(18, 0))
    c["dec38"] = pa.array([D(i - 20) * 10**20 for i in range(N)], pa.decimal128(38, 3))
    c["t_ms"] = pa.array([i * 1000 for i in range(N)], pa.time32("ms"))
    c["t_us"] = pa.array([i * 1000001 for i in range(N)], pa.time64("us"))
    c["t_ns"] = pa.array([i * 1000000001 for i in range(N)], pa.time64("ns"))
    c["blob"] = pa.array(every(6, [bytes([i, 0, 255]) * (i % 4) for i in range(N)]))
    c["fixed"] = pa.array([bytes([i] * 5) for i in range(N)], pa.binary(5))
    c["code"] = pa.array(every(5, ["abc"[i % 3] for i in range(N)])).dictionary_encode()
    c["nothing"] = pa.nulls(N)
    c["tags"] = pa.array([None if i % 6 == 0 else [] if i % 6 == 1 else [None, f"t{i}"] if i % 6 == 2 else [f"a{i}", "b"] for i in range(N)], pa.list_(pa.string()))
    c["matrix"] = pa.array([None if i % 5 == 0 else [[], None, [i, None, i + 1]] if i % 5 == 1 else [[i]] for i in range(N)], pa.list_(pa.list_(pa.int32())))
    c["labs"] = pa.array([None if i % 7 == 0 else [(f"k{j}", None if j % 2 else j / 2) for j in range(i % 4)] for i in range(N)], pa.map_(pa.string(), pa.float64()))
    c["who"] = pa.array([None if i % 8 == 0 else {"name": None if i % 3 == 0 else f"P{i}", "seen": [{"on": day0 + dt.timedelta(days=i), "by": None if i % 2 else f"D{i}"}] * (i % 3)} for i in range(N)],
                        pa.struct([("name", pa.string()), ("seen", pa.list_(pa.struct([("on", pa.date32()), ("by", pa.string())])))]))
    return c


def table(names=None):
    c = columns()
    t = pa.table({k: c[k] for k in (names or c)})
    return t.replace_schema_metadata({"made_by": "generate.py", "empty": ""})


few = ["note_id", "patient_id", "text", "day", "ts_us", "f64", "code", "tags", "labs", "who"]
everything = table()
small = table(few)

# Every codec, and both versions of data pages.
for codec in ["none", "snappy", "gzip", "brotli", "zstd", "lz4"]:
    pq.write_table(small, path(f"arrow_{codec}_v1"), compression=codec, row_group_size=16, data_page_version="1.0")
    pq.write_table(small, path(f"arrow_{codec}_v2"), compression=codec, row_group_size=16, data_page_version="2.0", use_dictionary=codec != "none")
# Every type; checksums, page index, bloom filters, tiny pages.
pq.write_table(everything, path("arrow_types_v1"), row_group_size=15, compression="snappy", write_page_checksum=True, write_page_index=True, data_page_size=64)
pq.write_table(everything, path("arrow_types_v2"), row_group_size=40, compression="zstd", data_page_version="2.0", write_page_checksum=True, use_dictionary=False,
               column_encoding={"note_id": "DELTA_BYTE_ARRAY", "text": "DELTA_LENGTH_BYTE_ARRAY", "patient_id": "DELTA_BINARY_PACKED", "f64": "BYTE_STREAM_SPLIT", "f32": "BYTE_STREAM_SPLIT"})
# Decimals as integers, lists without the standard's names, no Arrow schema.
pq.write_table(everything.drop_columns(["ts_ns", "t_ns"]), path("arrow_plain"), store_schema=False, store_decimal_as_integer=True, use_compliant_nested_type=False, version="1.0", compression="gzip")
# As Spark writes: INT96, lists called bag and array_element, its own key.
spark = table(["note_id", "patient_id", "text", "day", "ts_us", "dec9", "tags", "labs", "who"])
row = {"type": "struct", "fields": [{"name": n, "type": "string", "nullable": True, "metadata": {}} for n in spark.column_names]}
with pq.ParquetWriter(path("spark_like"), spark.schema, use_deprecated_int96_timestamps=True, use_compliant_nested_type=False, store_schema=False, compression="snappy") as w:
    w.write_table(spark, row_group_size=20)
    w.add_key_value_metadata({"org.apache.spark.version": "3.5.1", "org.apache.spark.sql.parquet.row.metadata": json.dumps(row)})
# Required columns and field ids, sorted.
req = pa.schema([pa.field("note_id", pa.int32(), False, {"PARQUET:field_id": "7"}), pa.field("text", pa.large_string(), False, {"PARQUET:field_id": "9"}),
                 pa.field("day", pa.date32(), False, {"PARQUET:field_id": "11"}), pa.field("more", pa.list_(pa.field("element", pa.int64(), False)), False)])
pq.write_table(pa.table([pa.array(range(N), pa.int32()), pa.array(notes, pa.large_string()), columns()["day"].fill_null(day0), pa.array([[i] * (i % 3) for i in range(N)])], schema=req),
               path("arrow_required"), row_group_size=17, sorting_columns=[pq.SortingColumn(0), pq.SortingColumn(2)], write_page_index=True)
# No rows, no row groups.
pq.write_table(small.slice(0, 0), path("arrow_empty"))
with pq.ParquetWriter(path("arrow_no_groups"), small.schema):
    pass
# Bloom filters, which DuckDB writes with dictionaries.
con = duckdb.connect()
con.execute("SET threads=1")
con.register("t", everything.drop_columns(["f16", "nothing", "dec38"]))
con.register("s", small)
for v in ["V1", "V2"]:
    con.execute(f"COPY (SELECT *, '{{\"a\":1}}'::JSON AS js, 'b'::ENUM('a','b') AS en, '00000000-0000-0000-0000-00000000000a'::UUID AS id, INTERVAL 3 DAY AS iv, 170141183460469231731687303715884105727::HUGEINT AS huge FROM t) TO '{path('duckdb_' + v.lower())}' (FORMAT parquet, PARQUET_VERSION {v}, COMPRESSION zstd, FIELD_IDS 'auto', KV_METADATA {{site: 'here'}})")
con.execute(f"COPY (SELECT * FROM s) TO '{path('duckdb_lz4_raw')}' (FORMAT parquet, COMPRESSION lz4_raw)")

pf = pl.from_arrow(everything.drop_columns(["nothing", "labs", "f16"]))
pf.write_parquet(path("polars"), row_group_size=16)
pf.select("note_id", "patient_id", "text", "day", "code", "tags").write_parquet(path("polars_stats"), statistics="full", compression="lz4", data_page_size=100)

df = pd.DataFrame({"note_id": [f"n{i:04d}" for i in range(N)], "patient_id": pd.array(every(9, [i // 4 for i in range(N)]), dtype="Int64"), "text": notes,
                   "seen": pd.to_datetime([ts0] * N), "code": pd.Categorical(["abc"[i % 3] for i in range(N)]), "day": [day0] * N})
df.to_parquet(path("pandas_range_index"), row_group_size=25)
df.set_index("note_id").to_parquet(path("pandas_named_index"))

# What people attach to tables: DataFrame.attrs, keys of their own, comments of
# columns, also within structs. Not among the other files, as it is not copied.
os.makedirs(os.path.join(here, "metadata"), exist_ok=True)
secret = "Zebulon Quackenbush"
df = df.set_index(pd.RangeIndex(5, 5 + N)).drop(columns="day")
df.attrs["source"] = secret
t = pa.Table.from_pandas(df)
t = t.append_column(pa.field("who", pa.struct([pa.field("name", pa.string(), metadata={"comment": secret})])), pa.array([{"name": "x"}] * N))
t = t.set_column(0, t.schema.field(0).with_metadata({"comment": secret, "PARQUET:field_id": "7"}), t.column(0))
row = {"type": "struct", "fields": [{"name": "note_id", "type": "string", "nullable": True, "metadata": {"comment": secret}}]}
t = t.replace_schema_metadata({**t.schema.metadata, "author": secret, "site": "here", "org.apache.spark.sql.parquet.row.metadata": json.dumps(row), "org.apache.spark.version": "3.5.1"})
pq.write_table(t, path("metadata/attached"), row_group_size=25)

# Categories: every row group's dictionary names those of all rows, and of rows
# that were filtered out before the file was written.
cities = pd.Categorical([f"Place{i:02d}" for i in range(N)], categories=[f"Place{i:02d}" for i in range(N)] + ["Filtered"])
pq.write_table(pa.table({"note_id": columns()["note_id"], "patient_id": columns()["patient_id"], "text": notes,
                         "place": pa.array(cities), "few": pa.array(["same"] * N).dictionary_encode(), "void": pa.array([None] * N, pa.dictionary(pa.int32(), pa.string()))}),
               path("arrow_categories"), row_group_size=10, compression="none")

# Known identifiers.
pq.write_table(pa.table({
    "patient_id": pa.array(range(1, 5), pa.int32()), "ignored": [1.5] * 4, "name": ["Ada Quill", None, "", "Bo Lind"], "given_name": ["Ada", "Cy", None, None],
    "family_name": ["Quill", "Marsh", "Reed", None], "birth_date": pa.array([dt.date(1950, 2, 3), None, dt.date(1899, 12, 31), dt.date(2020, 2, 29)]),
    "mrn": pa.array([17, None, 19, 20], pa.int64()), "phone": [["555-0100", "555-0101"], [], None, [None, ""]], "address": ["1 Elm St", None, "", "2 Oak St"],
    "relatives": [["Eve"], None, ["Flo", "Gus"], []], "doctors": [None] * 3 + ["Dr. Hale"],
    "email": pa.nulls(4)}), path("identifiers"))
print(sum(os.path.getsize(os.path.join(here, f)) for f in os.listdir(here)), "bytes")
