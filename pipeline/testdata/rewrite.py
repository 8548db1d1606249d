"""Writes a Parquet table anew by one of several writers, uncompressed, with all that a
writer may say of values beside them: python rewrite.py WRITER FROM TO."""

import sys

import pyarrow.parquet as pq

writer, source, target = sys.argv[1:]
if writer == "pyarrow":
    table = pq.read_table(source)
    blooms = {n: True for n in ("note_id", "patient_id") if n in table.column_names}
    options = {"compression": "none", "write_page_index": True, "use_dictionary": True, "row_group_size": 60}
    try:
        pq.write_table(table, target, bloom_filter_options=blooms, **options)
    except TypeError:  # an older pyarrow
        pq.write_table(table, target, **options)
elif writer == "duckdb":
    import duckdb

    duckdb.sql(
        f"COPY (SELECT * FROM '{source}') TO '{target}' (FORMAT parquet, COMPRESSION uncompressed, ROW_GROUP_SIZE 2048)"
    )
elif writer == "polars":
    import polars

    polars.read_parquet(source).write_parquet(target, compression="uncompressed", statistics="full", row_group_size=60)
else:
    sys.exit(f"no writer {writer}")
