"""Compares an OMOP database before and after: python joined.py BEFORE AFTER VISITS
prints, as JSON, what does not join or lie apart as it did. Rows are the same by their
place. AFTER may be several releases, comma separated, that hold different tables."""

import json
import os
import sys

import duckdb

before, after = sys.argv[1], sys.argv[2].split(",")
db = duckdb.connect()
tables = {"note": "note_date", "visit_occurrence": "visit_start_date", "measurement": "measurement_date", "person": "birth_datetime"}
for name in tables:
    source = f"{before}/{name}/*.parquet" if os.path.isdir(f"{before}/{name}") else f"{before}/{name}.parquet"
    folder = "notes" if name == "note" else name
    out = [f"{a}/{folder}" for a in after if os.path.isdir(f"{a}/{folder}")]
    assert len(out) == 1, (name, out)
    for when, files in (("before", source), ("after", out[0] + "/*.parquet")):
        db.sql(f"""create table {name}_{when} as select *, row_number() over (order by filename, file_row_number) as row
                   from read_parquet('{files}', filename=true, file_row_number=true)""")


def one(sql):
    return db.sql(sql).fetchall()[0][0]


result = {"joined": 0, "keys_lost": 0, "keys_kept": 0, "intervals": 0, "intervals_changed": 0}
for a, b, key in (("note", "person", "person_id"), ("visit_occurrence", "person", "person_id"), ("measurement", "person", "person_id"),
                  ("note", "visit_occurrence", "visit_occurrence_id"), ("measurement", "visit_occurrence", "visit_occurrence_id")):
    pairs = "select a.row as x, b.row as y from {a}_{w} a join {b}_{w} b using ({key})"
    was, now = (pairs.format(a=a, b=b, w=w, key=key) for w in ("before", "after"))
    result["joined"] += one(f"select count(*) from ({was})")
    result["keys_lost"] += one(f"select count(*) from (({was} except {now}) union all ({now} except {was}))")
    result["keys_kept"] += one(f"select count(*) from {a}_before x join {a}_after y using (row) where x.{key} = y.{key}")

days = " union all ".join(
    f"select p.row as person, '{name}' as t, x.row as row, x.{day}::date as before, y.{day}::date as after from {name}_before x "
    f"join {name}_after y using (row) join person_before p on p.person_id = x.person_id where x.{day} is not null"
    for name, day in tables.items() if name != "person")
db.sql(f"create table days as {days}")
result["intervals"] = one("select count(*) from days a join days b using (person) where (a.t, a.row) < (b.t, b.row)")
result["intervals_changed"] = one(
    "select count(*) from days a join days b using (person) where b.before - a.before != b.after - a.after")
result["not_shifted"] = one("select count(*) from days where before = after")
# Of every person: the age on the last day that anything tells of, before and after.
db.sql("""create table ages as select b.row, date_sub('year', b.birth_datetime::date, last) as was, date_sub('year', a.birth_datetime::date, moved)
            as is, last - b.birth_datetime::date as apart, moved - a.birth_datetime::date as now
          from (select person as row, max(before) as last, max(after) as moved from days group by person) join person_before b using (row)
          join person_after a using (row)""")
result["above_89"] = one("select count(*) from ages where was > 89")
result["oldest"] = one("select max(\"is\") from ages")
result["ages_changed"] = one("select count(*) from ages where was < 89 and apart != now or was > 89 and \"is\" != 90")
print(json.dumps(result))
