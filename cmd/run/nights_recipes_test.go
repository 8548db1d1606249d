package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// recipe returns the SQL of docs/nights.md that follows some words.
func recipe(t *testing.T, words string) string {
	t.Helper()
	page, err := os.ReadFile("../../docs/nights.md")
	if err != nil {
		t.Fatal(err)
	}
	found := regexp.MustCompile("(?s)" + words + ".*?```(?:duckdb|sql)\n(.*?)```").FindSubmatch(page)
	if found == nil {
		t.Fatalf("docs/nights.md has no SQL behind %q", words)
	}
	return string(found[1])
}

// python runs a script in a Python that has those packages, or skips the test.
func python(t *testing.T, packages, script string, args ...string) string {
	t.Helper()
	program := os.Getenv("PALIMPSEST_PYTHON")
	if program == "" {
		program = "../../.cache/readers/bin/python"
	}
	if out, err := exec.CommandContext(t.Context(), program, "-c", "import "+packages).CombinedOutput(); err != nil {
		lines := strings.Split(strings.TrimSpace(string(out)), "\n")
		t.Skipf("%s cannot import %s (%v %s); set PALIMPSEST_PYTHON to one that can", program, packages, err, lines[len(lines)-1])
	}
	cmd := exec.CommandContext(t.Context(), program, append([]string{"-c", script}, args...)...)
	var said bytes.Buffer
	cmd.Stderr = &said
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v\n%s%s", err, out, said.String())
	}
	return string(out)
}

// compared checks what a script has counted: notes after all nights, notes of the
// backfill, and rows of each that the other does not have.
func (n *nights) compared(t *testing.T, out string) {
	t.Helper()
	var notes, backfill, more, fewer int
	if _, err := fmt.Sscan(out, &notes, &backfill, &more, &fewer); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	t.Logf("%d notes after %d nights, %d of the backfill; %d rows only here, %d only there", notes, len(n.done), backfill, more, fewer)
	if notes == 0 || notes != backfill || more+fewer != 0 {
		t.Error("the tables differ")
	}
}

// inDuckDB runs a script that fills a table, and compares that with the backfill.
func (n *nights) inDuckDB(t *testing.T, table, script string) {
	t.Helper()
	script += fmt.Sprintf("CREATE TABLE backfill AS FROM read_parquet('%s/backfill/notes/*.parquet');\n", n.dir)
	file := filepath.Join(t.TempDir(), "nights.sql")
	if err := os.WriteFile(file, []byte(script), 0o600); err != nil {
		t.Fatal(err)
	}
	query := strings.ReplaceAll(`SELECT (SELECT count(*) FROM TABLE), (SELECT count(*) FROM backfill),
		(SELECT count(*) FROM (FROM TABLE EXCEPT ALL FROM backfill)), (SELECT count(*) FROM (FROM backfill EXCEPT ALL FROM TABLE))`,
		"TABLE", table)
	n.compared(t, python(t, "duckdb",
		"import duckdb,sys\nc=duckdb.connect()\nc.execute(open(sys.argv[1]).read())\nprint(*c.execute(sys.argv[2]).fetchone())", file, query))
}

// duckdb applies all nights as docs/nights.md says.
func (n *nights) duckdb(t *testing.T) {
	var script strings.Builder
	fmt.Fprintf(&script, "CREATE TABLE notes AS FROM read_parquet('%s/out/%s/notes/*.parquet') LIMIT 0;\n", n.dir, n.done[0])
	for _, night := range n.done {
		script.WriteString(strings.ReplaceAll(recipe(t, "In DuckDB"), "NIGHT", filepath.Join(n.dir, "out", night)))
	}
	n.inDuckDB(t, "notes", script.String())
}

// bigQuery has sqlglot read the recipe as BigQuery does, and write it for DuckDB, which
// applies all nights by it. DuckDB has another word for INSERT ROW; the columns are
// written out, as the recipe asks for.
func (n *nights) bigQuery(t *testing.T) {
	sql := strings.Replace(recipe(t, "In BigQuery"), "note_date = s.note_date,",
		"encounter_id = s.encounter_id, note_date = s.note_date, note_type = s.note_type, risk_score = s.risk_score,", 1)
	statements := python(t, "duckdb, sqlglot", `import sqlglot, sys
for s in sqlglot.parse(sys.argv[1], dialect="bigquery", error_level=sqlglot.ErrorLevel.RAISE):
    assert not isinstance(s, sqlglot.exp.Command), s
    print(s.sql("duckdb").replace("INSERT ROW", "INSERT BY POSITION") + ";")`, sql)
	for _, word := range []string{"DELETE FROM release.notes", "MERGE INTO release.notes", "INSERT BY POSITION"} {
		if !strings.Contains(statements, word) {
			t.Errorf("the recipe is read as\n%s", statements)
		}
	}
	var script strings.Builder
	fmt.Fprintf(&script, "CREATE SCHEMA release;\nCREATE TABLE release.notes AS FROM read_parquet('%s/out/%s/notes/*.parquet') LIMIT 0;\n",
		n.dir, n.done[0])
	for _, night := range n.done {
		for table, files := range map[string]string{"night_notes": "notes/*.parquet", "night_changes": "changes.parquet"} {
			fmt.Fprintf(&script, "CREATE OR REPLACE TABLE release.%s AS FROM read_parquet('%s/out/%s/%s');\n", table, n.dir, night, files)
		}
		script.WriteString(statements)
	}
	n.inDuckDB(t, "release.notes", script.String())
}

// spark applies all nights by a real Spark with Delta, where Python has both: pip
// install pyspark delta-spark. Elsewhere sqlglot reads the recipe as Spark does.
func (n *nights) spark(t *testing.T) {
	sql := recipe(t, "In Spark")
	python(t, "sqlglot", `import sqlglot, sys
s, = sqlglot.parse(sys.argv[1], dialect="spark", error_level=sqlglot.ErrorLevel.RAISE)
assert isinstance(s, sqlglot.exp.Merge) and len(s.args["whens"].expressions) == 3, s`, sql)
	n.compared(t, python(t, "delta, pyspark", `import sys, tempfile
from delta import configure_spark_with_delta_pip
from pyspark.sql import SparkSession
sql, out, *nights = sys.argv[1:]
spark = configure_spark_with_delta_pip(
    SparkSession.builder.master("local[2]")
    .config("spark.sql.extensions", "io.delta.sql.DeltaSparkSessionExtension")
    .config("spark.sql.catalog.spark_catalog", "org.apache.spark.sql.delta.catalog.DeltaCatalog")
    .config("spark.sql.warehouse.dir", tempfile.mkdtemp())
    .config("spark.sql.shuffle.partitions", "2").config("spark.ui.enabled", "false")
    .config("spark.driver.bindAddress", "127.0.0.1").config("spark.driver.host", "127.0.0.1")
).getOrCreate()
spark.read.parquet(f"{out}/out/{nights[0]}/notes").limit(0).write.format("delta").saveAsTable("notes")
for night in nights:
    spark.sql(sql.strip().rstrip(";").replace("NIGHT", f"{out}/out/{night}"))
notes, backfill = spark.table("notes"), spark.read.parquet(f"{out}/backfill/notes")
print(notes.count(), backfill.count(), notes.exceptAll(backfill).count(), backfill.exceptAll(notes).count())`,
		append([]string{sql, n.dir}, n.done...)...))
}
