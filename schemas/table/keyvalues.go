package table

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
)

// The key-value metadata of a footer hold what the writer put there: schemas of
// other systems, and anything that somebody attached to a table, such as
// DataFrame.attrs. The first are released as far as they are structure, the
// second only where its key was named.

// Keys of footers whose values are structure, in whole or in part.
const (
	arrowKey  = "ARROW:schema"
	pandasKey = "pandas"
	sparkKey  = "org.apache.spark.sql.parquet.row.metadata"
)

// plainKeys hold versions and settings, without which dates are read wrongly.
var plainKeys = map[string]bool{
	"org.apache.spark.version":        true,
	"org.apache.spark.timeZone":       true,
	"org.apache.spark.legacyDateTime": true,
	"org.apache.spark.legacyINT96":    true,
	"writer.model.name":               true,
	"duckdb.interval_bloom_filter":    true,
}

// fieldKeys are those of single columns that belong to their types.
var fieldKeys = map[string]bool{
	"PARQUET:field_id":         true,
	"ARROW:extension:name":     true,
	"ARROW:extension:metadata": true,
	"_PL_CATEGORICAL2":         true,
}

// derivedKeys are the keys of footers that hold a schema of their own, which
// readers prefer to Parquet's; they must go when the schema changes.
var derivedKeys = map[string]bool{
	arrowKey:                    true,
	pandasKey:                   true,
	sparkKey:                    true,
	"geo":                       true,
	"parquet.avro.schema":       true,
	"avro.schema":               true,
	"iceberg.schema":            true,
	"parquet.proto.class":       true,
	"parquet.proto.descriptor":  true,
	"parquet.thrift.descriptor": true,
	"thrift.class":              true,
	"thrift.descriptor":         true,
}

// recordKeys are the keys under which Hudi stores what it derives from record
// keys, real ids: they never belong in a released file.
var recordKeys = map[string]bool{
	"org.apache.hudi.bloomfilter":           true,
	"com.uber.hoodie.bloomfilter":           true,
	"hoodie_bloom_filter_type_code":         true,
	"hoodie_min_record_key":                 true,
	"hoodie_max_record_key":                 true,
	"org.apache.hudi.metadata.bloom.filter": true,
}

// Metadata tells which key-value metadata of a file, by their keys, are in the
// output, and which are not. What is left out of a key's value has the key and
// the member's name: pandas.attributes.
type Metadata struct{ Kept, Dropped []string }

// keyValues decides what is kept of one file's metadata.
type keyValues struct {
	named         map[string]bool // Columns.KeepMetadata
	schemaChanged bool
	kept, dropped map[string]bool
}

func newKeyValues(named []string, schemaChanged bool) *keyValues {
	m := &keyValues{named: map[string]bool{}, schemaChanged: schemaChanged, kept: map[string]bool{}, dropped: map[string]bool{}}
	for _, key := range named {
		m.named[key] = true
	}
	return m
}

func (m *keyValues) metadata() Metadata {
	return Metadata{slices.Sorted(maps.Keys(m.kept)), slices.Sorted(maps.Keys(m.dropped))}
}

// footer returns what is released of a footer's pairs.
func (m *keyValues) footer(pairs []value) []value {
	var out []value
	for _, kv := range pairs {
		key, held := kv.str(kvKey), kv.str(kvValue)
		released, ok := m.table(key, held)
		if !ok {
			m.dropped[key] = true
			continue
		}
		m.kept[key] = true
		if released != held {
			kv = kv.with(kvValue, stringValue(released))
		}
		out = append(out, kv)
	}
	return out
}

// table returns what is released of a pair that speaks of the whole table.
func (m *keyValues) table(key, held string) (released string, ok bool) {
	switch {
	case recordKeys[key], m.schemaChanged && derivedKeys[key]:
		return "", false
	case m.named[key], plainKeys[key]:
		return held, true
	case key == arrowKey:
		return m.arrowSchema(held)
	case key == pandasKey:
		return m.members(key, held, pandasShape)
	case key == sparkKey:
		return m.members(key, held, sparkShape)
	}
	return "", false
}

// column returns what is released of the pairs of a column chunk.
func (m *keyValues) column(meta value) value {
	pairs := meta.items(cmKeyValues)
	if len(pairs) == 0 {
		return meta
	}
	var out []value
	for _, kv := range pairs {
		if _, ok := m.field(kv.str(kvKey), ""); ok {
			out = append(out, kv)
		}
	}
	switch len(out) {
	case len(pairs):
		return meta
	case 0:
		return meta.without(cmKeyValues)
	}
	return meta.with(cmKeyValues, listValue(tStruct, out))
}

// field is table for a pair that speaks of one column.
func (m *keyValues) field(key, held string) (released string, ok bool) {
	ok = m.named[key] || fieldKeys[key]
	if !ok {
		m.dropped[key] = true
	}
	return held, ok
}

// shape names the members of JSON objects that are kept, and what is kept of
// those within. Plain values are kept where their member is, but for a member
// of which nothing is kept: of that, an empty object.
type shape map[string]shape

var pandasShape = shape{
	"index_columns":     {"kind": nil, "name": nil, "start": nil, "stop": nil, "step": nil},
	"column_indexes":    pandasColumn,
	"columns":           pandasColumn,
	"partition_columns": nil,
	"creator":           {"library": nil, "version": nil},
	"pandas_version":    nil,
	"attributes":        {},
}

var pandasColumn = shape{"name": nil, "field_name": nil, "pandas_type": nil, "numpy_type": nil, "metadata": {
	"encoding": nil, "num_categories": nil, "ordered": nil, "timezone": nil, "unit": nil, "precision": nil, "scale": nil,
}}

// sparkShape has no metadata of columns: their comments are there.
var sparkShape = func() shape {
	s := shape{"name": nil, "nullable": nil, "metadata": {}, "containsNull": nil, "valueContainsNull": nil, "class": nil, "pyClass": nil}
	for _, name := range []string{"type", "fields", "elementType", "keyType", "valueType", "sqlType"} {
		s[name] = s
	}
	return s
}()

// members returns what a shape keeps of JSON, and the JSON itself where that is
// all of it.
func (m *keyValues) members(path, held string, s shape) (string, bool) {
	d := json.NewDecoder(bytes.NewReader([]byte(held)))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil || d.More() {
		return "", false
	}
	if !m.prune(path, v, s) {
		return held, true
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return "", false
	}
	return string(bytes.TrimSpace(b.Bytes())), true
}

// prune removes the members that a shape does not name, and tells whether there
// was one.
func (m *keyValues) prune(path string, v any, s shape) (pruned bool) {
	switch v := v.(type) {
	case []any:
		for _, x := range v {
			pruned = m.prune(path, x, s) || pruned
		}
	case map[string]any:
		for name, x := range v {
			within, ok := s[name]
			if _, object := x.(map[string]any); within != nil && len(within) == 0 && !object {
				ok = false
			}
			if !ok {
				m.dropped[path+"."+name] = true
				delete(v, name)
				pruned = true
				continue
			}
			pruned = m.prune(path+"."+name, x, within) || pruned
		}
	}
	return pruned
}
